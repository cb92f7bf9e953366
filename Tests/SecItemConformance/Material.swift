// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Certificates and keys made for these tests with openssl; they protect nothing.
enum Material {
    /// A root of P-256; its name has a lower-case text and three spaces, as PrintableString.
    static let authority = decoded(
        """
        MIIBqzCCAVGgAwIBAgIBATAKBggqhkjOPQQDAjBEMQswCQYDVQQGEwJERTEWMBQGA1UEChMNWmFtb2sgICBUZXN0czEdMBsGA1UEAxMU\
        WmFtb2sgdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMTEzOTA3WhgPMjEyNjEwMjgxMTM5MDdaMEQxCzAJBgNVBAYTAkRFMRYwFAYDVQQK\
        Ew1aYW1vayAgIFRlc3RzMR0wGwYDVQQDExRaYW1vayB0ZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJtjnl84\
        xzaRYX7JEJGHzdp/GNaS/d2WFIypU3fRBLer62rnU1mFRE3rxSgXc3rPLOjX6kcx7NtWrjwZqo+T3QSjMjAwMA8GA1UdEwEB/wQFMAMB\
        Af8wHQYDVR0OBBYEFHotqKQTCtvlvUK+n6Ddv5doW6+LMAoGCCqGSM49BAMCA0gAMEUCIQDjIsElGyZRrGpF3HTManklHeXXnuVn2sov\
        j3xwU85IQAIgZIT3mzzioKejSWDRGyFhZjxCEeiZwliSumiJa8tPBTo=
        """)

    /// Issued by the authority to /C=DE/O=Zamok Tests/OU=Engineering/CN=Anna/emailAddress=anna@example.com, with the
    /// alternative names anna@example.org and leaf.example.org; serial number 00F0A1B2C3.
    static let leaf = decoded(
        """
        MIICHTCCAcSgAwIBAgIFAPChssMwCgYIKoZIzj0EAwIwRDELMAkGA1UEBhMCREUxFjAUBgNVBAoTDVphbW9rICAgVGVzdHMxHTAbBgNV\
        BAMTFFphbW9rIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMTExMzkwN1oYDzIxMjYxMDI4MTEzOTA3WjBpMQswCQYDVQQGEwJERTEUMBIG\
        A1UECgwLWmFtb2sgVGVzdHMxFDASBgNVBAsMC0VuZ2luZWVyaW5nMQ0wCwYDVQQDDARBbm5hMR8wHQYJKoZIhvcNAQkBFhBhbm5hQGV4\
        YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEX0b7JL6uiX2Rd0L4J43W4yWoNsAhc92rXpZlP6uzg+tmjrOm3be+ewSo\
        osVjLFwrndADtNQW6SYY26YEon8sjqN8MHowHQYDVR0OBBYEFD5KgcgpmZBChpKASTo5yVnfRnVZMC0GA1UdEQQmMCSBEGFubmFAZXhh\
        bXBsZS5vcmeCEGxlYWYuZXhhbXBsZS5vcmcwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBR6LaikEwrb5b1Cvp+g3b+XaFuvizAKBggqhkjO\
        PQQDAgNHADBEAiBSY9D7lAw1SmMqtvicfiPgkI1YtVKZ6SET2HesBnMnDwIgdatWnpF2exJZcMcQqVn53d/0nvTzBdeg0DQy65kE0LA=
        """)

    /// Its private key, X9.63.
    static let leafKey = decoded(
        """
        BF9G+yS+rol9kXdC+CeN1uMlqDbAIXPdq16WZT+rs4PrZo6zpt23vnsEqKLFYyxcK53QA7TUFukmGNumBKJ/LI6LdKnQUqhXwkFVnjBD\
        FcOlfNdLW1pWbwDjUIUdtnmp4A==
        """)

    /// Issued by the authority to /O=Zamok/OU=RSA; serial number 3.
    static let rsaLeaf = decoded(
        """
        MIICFzCCAb0CAQMwCgYIKoZIzj0EAwIwRDELMAkGA1UEBhMCREUxFjAUBgNVBAoTDVphbW9rICAgVGVzdHMxHTAbBgNVBAMTFFphbW9r\
        IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMTExMzkwOFoYDzIxMjYxMDI4MTEzOTA4WjAeMQ4wDAYDVQQKDAVaYW1vazEMMAoGA1UECwwD\
        UlNBMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6VZPJvFEmrsKxvtRR0baMCuhD0DzbzrtPFTBlez7YQNSisXm2g0Jri7d\
        Z40FjVaFWn78mSnEtd7VMSwZ88Bd5X1h6KbmDjh+Pj6j28GN5jaE48oOYQY9TnXaPVLAYr7Ug1bno6UFfsHyzkbtKiI3jfBhSK0XC5oo\
        rgwIb6mnECCbcmi6rAZv9Ge/4xgVdFXz8OoELpKwgh4JIYCa65/0lTMsMC64EGpa3VwN7w400cHw0d1XGbSVXq/Htps/VdKO3r3afP0E\
        cNNbNIKu6Y2jXQP1PADeMJi8wwNpxP6Xfodz1/mcFnuxoFRevdORjdRmExk+dfxsJqnB6kJy5/JUgQIDAQABMAoGCCqGSM49BAMCA0gA\
        MEUCIGX4K7sJB0IWAdxio20vmQ5W8AZGWKpQ2EWKVtkvFiyOAiEA85bfbplzIsYtofWB+uV/Rb7VaVcgkCnlJ7UYKv+aNf0=
        """)

    /// Its private key, PKCS#1.
    static let rsaKey = decoded(
        """
        MIIEowIBAAKCAQEA6VZPJvFEmrsKxvtRR0baMCuhD0DzbzrtPFTBlez7YQNSisXm2g0Jri7dZ40FjVaFWn78mSnEtd7VMSwZ88Bd5X1h\
        6KbmDjh+Pj6j28GN5jaE48oOYQY9TnXaPVLAYr7Ug1bno6UFfsHyzkbtKiI3jfBhSK0XC5oorgwIb6mnECCbcmi6rAZv9Ge/4xgVdFXz\
        8OoELpKwgh4JIYCa65/0lTMsMC64EGpa3VwN7w400cHw0d1XGbSVXq/Htps/VdKO3r3afP0EcNNbNIKu6Y2jXQP1PADeMJi8wwNpxP6X\
        fodz1/mcFnuxoFRevdORjdRmExk+dfxsJqnB6kJy5/JUgQIDAQABAoIBAAKI1ma60gmu5JBGngllXVvB7H8jpzR45WMPC0q7WB4SlSqL\
        ZAiLo/nPtqPz1v2ZXYaFc+186TEneUiOQFhQh0WjiyYuU4Tc0ymwluUwljt2mCO8ew+A3wwBZZO8JXD1rSdl7qkghicoDxhRcGAvUeWP\
        3SLsSiB1vFj75YsHXFRDS8PhFg9bcnjyaF+FgJcEXxCN7glmIruDd00Meabr2c8EH+rYCn3ylUnzabA/cVFZ81f4TAiGAm4FOPwt4qec\
        PqCWzalvstEucTfC/xB6Rq38oUnYOBSDLX5OMA3xfPk9Ey7JOq0Z+4yqfqc17NBxy3CNi6aJhexsP69bbQRRzeECgYEA+OjckHAz5+bK\
        QUbluiMen73iixeLbzoKLXDpMT29JcuBOF/n/hK/m2Xu+2ua76uieyjdBB4KBl8Wmj/n+2/comIJQzWIouiH5O4GdTc+4vpTVo5vBHkR\
        1ttQ8eOsBNq/garl3UPN762bhxseAsUutqKkj8YAI+TE+hdipUuN2U0CgYEA7/vjNuBqvC0KfNBEJ1hyRt9JxAk0eL2sVLhLvKgF7oGO\
        Rzt1F6O2JYzAM6wixqlVuk3JnPYKcxTSKb84yodejx5CPPPq6nI3g/ae+qQQbt+bEEpZM6Vho7q9Xf0Ox1yz/dRqP0FlXDTsfRHjDW2c\
        2zxRB/BXswLsLIO+Dm8GbgUCgYB/ob//nFkxT2lkgXsor/tzA8YXdnI8DXHMjTo10qebqrdO9faalHiFsYYSi8G9pa/CIVj7VH/ldnq7\
        i4tjpZ9n8Ic5XEj85+lO3TKYhkSL1LpJBu4sR/x6xKjD7+9z6csLLVuC0tLVVJsMcz43Q27JnapuQqQtw4+xga5GffB1fQKBgQCGGV2c\
        04gxAIYkuofq6Hxq5+ijV3VvpqU+bgE8OTOfU9u6KBpFDGEC2ISqGx0Pn53czgzD3aR3LAJH+6dzXHNVS9Y9kxsIyKwG3G93pOfd3Ksc\
        Tj9MIbTOtdGNTJPOiRm209RO5m8KODSRqsYSQdbtluW8puuKhy6LrU4taJLSNQKBgGTeWobxWwiqJAb5ssEEG6YMh0BeKMPWSvDOlujF\
        DZXI0qBfGblqabm+XqfZpcuC3AxXfV4Fc7UuJnTil2BKpKd+yACgKZCcFrgqLujQKyRgBEKbnmAWw2uJl9hRL61ueHEjgjyNvBIYQIY/\
        WxsacgJ2szxnqL7LF1CSR1eax02S
        """)

    /// leaf, its key and the authority in PKCS#12 under the passphrase "zamok", as openssl 3 writes it.
    static let identityFile = decoded(
        """
        MIIG0QIBAzCCBocGCSqGSIb3DQEHAaCCBngEggZ0MIIGcDCCBQIGCSqGSIb3DQEHBqCCBPMwggTvAgEAMIIE6AYJKoZIhvcNAQcBMFcG\
        CSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhIifq1PURJ5QICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELB1GSp3fdqH\
        I7ZcZC/o5KmAggSA8mmzVgaNTJ/vVHYtNBno+PaIyMUgp4m+iAPTVGd88J3wH9DK+eOv3G1S74vU2yRBrDMrfEpHstpAlsTFDWIs+UcD\
        jVvJuPatUHJ0IgqeAs3kntY3os9rYezzfnfggvT5xhmcCrhVsF3pFM/6zq14S+cWm0Q5J6mIol8xGkeD7uH2bKj3WjBgMhbDQYb8Duxo\
        nDGZLJEpTb06TvTwG+uT4OpImsoKghqgZKnTk2dkdeS6G4Okft6o+NvfkadcwMl0msFDcxokMJxUAMI0gJ9OQjR2xD4st0nZ5Ev3Re75\
        qbPlXTZG9zfiVYVyFBXIs0k2gfVloaX/a6E8WdsMx+SphBFrrM+/GplYDotM+gt4Wh8BRHlrEkW+He7lMjdGtAoj9L4usiizbeiUfSw0\
        DlWATh4XYBo4XYQTh6KmMKBFYzqOk2T2m1zdqctDZ+TWJLphqfHe+SOfURPnqSzSqNrws0GlPTdkV0zVf3KZiZSg/tMHqvb7Yw3uydeO\
        6NrrPwW+y9I2wVD/SQFNQ2VAmnGM3+fyyAMDtcCm50qklFrJO0xYqbeMyt6Ar7n76f0iVQqlTR3JuRW0RekxoVZck5Hvu+q8N/AXFy+r\
        pGsFdac4dnZydDXigOfbBP7hKe8VZkw7I64w6n7FKa2HwyJ/xcimVS+pkRGndP8ntP9BPE5USKxRdUKVWAliKNRFz8owSEKbFYHy0Qfu\
        beKd4vaD0BxiQg+nJAE4MFbHDFzZO/YvQ2nnHx5zXc86ClklO5zNJr9wAKqH373GjQ9o2eD6QDN9SyRX37FjItHzwdF2x7Ld1a89rnT7\
        3D28Ud+8S4G9Bz/Ga1VlxcLHciyqc+HmMW9QM6t7FSUuh32aG+HJG9BWhJQMkdgWDYLUzLc4aa5bVpt2HympdRa1NOx0tZY2l4S9OsJr\
        yBMgxRoveGhbIIYjx8TnmlDb5zTmb+y3LOcx4bIYzjW2WBpG0vipi/rbEiycPZg+394+QTEVXKiXsCITWhEBvYDFLc77d8/scJwyZOM1\
        hIvIbgW8phUiSH1kLSizzMOCpX3qNzyBaFDOj69oqF4/Dc3TxWBt4eemPwk2eVzSSTQcrMUWmQqsTAyLgQAoQjl/4Ukckyf6RZyZT8YN\
        BBZEKJoKP7etPdZCmmks6jHMOP8OAiOc5xVXuhPKA1T5eqFwsGGPY5iVSc1rU3sBoVmcTs5s9OvyMaRu3YkcgUGzTdVbRQJeDOChbPZM\
        lEs2nN7yChpm+X1zV7iLJUxwuqqCb+yJ1XSy7IjbboaDx+uxsspgyHybcseqN5HdGVMsqOmFDvk+JGH+08H5uyfoGsoEVOKgk+11XNrP\
        Y+vD6TlpWf9eZZTuBWDxAExLcLT7KFDWW1437J4+fg1HUnMmhngdZKaXEiiLi+QV0S10gOsQT24waUV3TieGq/X7faODgALLNVAWKMAQ\
        ZyDKRnyNQ5AhAFcOuZ6xwiLEqt5Pg8Wjje4gFSONWpdRYrFunpiHOXoalZNbIJU+UU3yNtGBNxmZNnOD5ZBJdhpmqkwsXjXSMIIBZgYJ\
        KoZIhvcNAQcBoIIBVwSCAVMwggFPMIIBSwYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECC8Z\
        ItOlxsMJAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQcssPiEblDokHJ95ClKKiFQSBkLHNduoa89uzO1CR/tAMhboUlT8A\
        V1Kf+NSS184btHeCcbzewdbSQPhC5f0vfPUAWxzfpPdKClO5K5qYeHGod1WxKNiAedmJrz0f1NnuKrHHDHKkKeuKDvn/4gJO9AfutdLf\
        AF3+m205R4ir/NHmJhFMrByALo47Blp3wqF+5k3YgrILkkfPzvn6j3TyuBBBZjFKMCMGCSqGSIb3DQEJFDEWHhQAQQBuAG4AYQAnAHMA\
        IABrAGUAeTAjBgkqhkiG9w0BCRUxFgQUDwaLY6UIGDi8TC495cp+Hg+3r+4wQTAxMA0GCWCGSAFlAwQCAQUABCCGuOz1uWsnjZpwWnHw\
        7oVd4C0WoEl4xJUyQWEQFxTX3wQIZPbQWzBiCNICAggA
        """)

    /// The same as openssl 1 wrote it.
    static let olderFile = decoded(
        """
        MIIEVQIBAzCCBBsGCSqGSIb3DQEHAaCCBAwEggQIMIIEBDCCAt8GCSqGSIb3DQEHBqCCAtAwggLMAgEAMIICxQYJKoZIhvcNAQcBMBwG\
        CiqGSIb3DQEMAQYwDgQItOaSWrkOdEYCAggAgIICmDV9JnK5HlHsys5Esg2FIWl/Z+yAWcdywMvlYorMKG6fyD3VSlQD4g5l/CzUPD+6\
        nBzyFuDlipi1Chf1GvRcLRNm3KjRAfqJXI3Ssc+RTym2hfCVOYz0d69/+5n1ZRxXevdVh3/m6dOucW7Zm2jUmGasbJYyeZW4kx2BwB3O\
        5KmnBCDNv2SmrUfrhpl6fjOh87oA033Vr2MlAagVdWz6WhoP8yMg+zCPJj7LiMohm7VA6x6hHup/D/6cTo+BHFu21SoXCiRT1AjhYbYD\
        3m/L0VpLoO3dXQT146f3sKCYRl6xOi+HiPRamsXUr/JLPEiy9ZoqEPt0S9daYjDZOtcA6nSDHFDVufG903c7nckTI83QIsXM88QmX58v\
        k07gkJMsAlc1tkcqOuQxxkH8AwSqqtsbPQQSTx507JWm1tntz84tPqmF4A/NhUmYQbKT67kN+u2/W+Sbrx396Vy42tMBT8GcE/bZ8gZh\
        uWSd54O0tiSD+Ji+v7xDGx8xZPYAKSxx6YQexxGEKxszLpZTeOFjP5qPGREcLjqcuOU2ZI6wjfIUGwSRSDGZeMN2MTnNM/pL04Zu6z/T\
        xGaB1v4iwKTHA2kLY9iP2EMUzS3ZpIzXql3tqegxICQBk9yiszIw8/bE3HKPhPfKAp7Rc4XTbnhIH7oN9d79LeR33vQerNGDHIRw1RVo\
        4MRnGT51za8MlWfaiccvie++RlTpvSlUYo711dRde7iK+7srCrrDA/6oWnTUOYv+O1bVf88UtEONp46oKtGULx7TiQRxFlwECFX4dCMZ\
        bzl2Bnoc6MqB8pyzB/4YRLJXdKzPaEeOTKTOlgQoqqR2W9/4znwJdq9+eIq+WPcrIk1MSwWFJp2Z9dyU0BuH8XygXohgtWAwggEdBgkq\
        hkiG9w0BBwGgggEOBIIBCjCCAQYwggECBgsqhkiG9w0BDAoBAqCBtDCBsTAcBgoqhkiG9w0BDAEDMA4ECOlfZ1QVIZxzAgIIAASBkBT0\
        EDw9gI7FeMQuB6X0ELC0Evus4uYnvgY7mko9LUM+xth+obKl0K69UHBL0nEH2ogbcrjJOZRPoTgQ1OWjAfXBHIWyjNijqWLAuhM37oE1\
        7FPhAqf8JkIHZFsYziLQUf1Eml++E784I4gM6WdUuq+cuqNQVDiuiyQ5tVgYe9DqjUOCQ/APpAr0RCgn+17XuTE8MBUGCSqGSIb3DQEJ\
        FDEIHgYAbwBsAGQwIwYJKoZIhvcNAQkVMRYEFA8Gi2OlCBg4vEwuPeXKfh4Pt6/uMDEwITAJBgUrDgMCGgUABBT/6/z6tU6DJULATsVl\
        sBvLIFOo7QQIwFNuVG7+Y2gCAggA
        """)

    private static func decoded(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
