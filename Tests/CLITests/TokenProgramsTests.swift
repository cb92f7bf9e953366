// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Programs of PKCS#11 over p11-kit's own module: OpenSC's pkcs11-tool, ssh-keygen, GnuTLS' p11tool.
@Suite struct TokenProgramsTests {
    private static let proxy = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/p11-kit-proxy.so" }
        .first { FileManager.default.fileExists(atPath: $0) }
    private static let hasPrograms =
        proxy != nil
        && ["pkcs11-tool", "p11tool", "ssh-keygen", "openssl"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
    private static let hasPlace = geteuid() != 0 || (try? Stage().run("unshare -m true").status) == 0

    /// A home with a passcode, a pair of each kind, one of them with a certificate; and p11-kit told of it.
    private struct Scene {
        let stage: Stage

        init() throws {
            stage = try Stage()
            stage.environment["P"] = proxy
            stage.environment["ZAMOK_HOME"] = stage.folder + "/home"
            stage.environment["T"] = "pkcs11-tool --module \(proxy ?? "") --token-label Zamok"
            try expect(
                "umask 077; printf tall-grass > passcode; zamok passcode set --passcode-file passcode 2> log", "")
            try stage.expect("zamok setup pkcs11 --yes > log 2>&1", "")
            try expect(
                "zamok keys generate rsa --type rsa --bits 2048 > log; zamok keys generate www --type p256 > log; zamok keys generate ed > log; zamok keys certificate www --subject /CN=www.example.com --host www.example.com --add > www.pem",
                "")
        }

        /// p11-kit reads no modules of root's own. For root the system's folder of modules holds this one, in a mount
        /// namespace of this line alone.
        func expect(_ line: String, _ text: String, status: Int32 = 0) throws {
            stage.environment["LINE"] = line
            try stage.expect(
                geteuid() == 0
                    ? """
                    exec unshare -m sh -c 'mount -t tmpfs none /usr/share/p11-kit/modules && { test ! -f .config/pkcs11/modules/zamok.module || cp .config/pkcs11/modules/zamok.module /usr/share/p11-kit/modules; } && exec sh -c "$LINE"'
                    """ : line, text, status: status)
        }
    }

    @Test(
        .enabled(if: hasPrograms, "this system has no p11-kit, pkcs11-tool or p11tool"),
        .enabled(if: hasPlace, "this system gives root no view of the file system of its own"))
    func `pkcs11-tool's own test passes, and openssl verifies what it signs and encrypts to it`() throws {
        let scene = try Scene()
        try scene.expect("$T --test --allow-sw > log 2>&1; echo $?; tail -1 log", "0\nNo errors\n")
        try scene.expect(
            "zamok keys export rsa --public > rsa.pem; zamok keys export www --public > ec.pem; printf message > message; openssl dgst -sha256 -binary message > digest",
            "")
        let sign = "$T --sign --input-file"
        try scene.expect(
            "\(sign) message -m SHA256-RSA-PKCS --label rsa -o out > log 2>&1; openssl dgst -sha256 -verify rsa.pem -signature out message",
            "Verified OK\n")
        try scene.expect(
            "\(sign) digest -m RSA-PKCS-PSS --hash-algorithm SHA256 --label rsa -o out > log 2>&1; openssl dgst -sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32 -verify rsa.pem -signature out message",
            "Verified OK\n")
        try scene.expect(
            "id=$($T -O --type pubkey 2> log | grep -A1 'label: *www' | sed -n 's/.*ID: *//p'); \(sign) digest -m ECDSA --signature-format openssl --id $id -o out > log 2>&1; openssl dgst -sha256 -verify ec.pem -signature out message",
            "Verified OK\n")
        try scene.expect(
            "openssl pkeyutl -encrypt -pubin -inkey rsa.pem -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -in message -out sealed; $T --decrypt -m RSA-PKCS-OAEP --hash-algorithm SHA256 --mgf MGF1-SHA256 --label rsa --input-file sealed -o out > log 2>&1; cmp message out",
            "")
    }

    @Test(
        .enabled(if: hasPrograms, "this system has no p11-kit, pkcs11-tool or p11tool"),
        .enabled(if: hasPlace, "this system gives root no view of the file system of its own"),
        .enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
    func `a key in a TPM signs, and says that it never left`() throws {
        let tpm = try SoftwareTPM()
        let scene = try Scene()
        scene.stage.environment["ZAMOK_TPM"] = "swtpm:\(tpm.socket)"
        try scene.expect(
            "zamok keys generate badge --in-tpm > log; zamok keys export badge --public > badge.pem; printf message > message; openssl dgst -sha256 -binary message > digest",
            "")
        let identifier = "id=$($T -O --type pubkey 2> log | grep -A1 'label: *badge' | sed -n 's/.*ID: *//p')"
        let sign = "\(identifier); $T --sign --input-file digest -m ECDSA --signature-format openssl --id $id -o out"
        try scene.expect(
            "\(sign) > log 2>&1; openssl dgst -sha256 -verify badge.pem -signature out message", "Verified OK\n")
        try scene.expect(
            "$T -O --type privkey 2> log | grep -A9 'label: *badge' | grep -o 'Access.*'",
            "Access:     sensitive, always sensitive, never extractable, local\n")
        tpm.stop()
        try scene.expect("\(sign) 2>&1 | grep -o CKR_DEVICE_ERROR", "CKR_DEVICE_ERROR\n")
    }

    @Test(
        .enabled(if: hasPrograms, "this system has no p11-kit, pkcs11-tool or p11tool"),
        .enabled(if: hasPlace, "this system gives root no view of the file system of its own"))
    func `ssh-keygen and p11tool find keys and certificate`() throws {
        let scene = try Scene()
        try scene.expect(
            "ssh-keygen -D $P 2> log | cut -d' ' -f1,2 | sort > found; for key in rsa www; do zamok keys export $key --public --ssh; done | cut -d' ' -f1,2 | sort > keys; cmp found keys",
            "")
        try scene.expect("p11tool --list-token-urls | grep -c token=Zamok", "1\n")
        try scene.expect(
            "p11tool --export 'pkcs11:token=Zamok;object=www.example.com;type=cert' | grep . > found; cmp found www.pem",
            "")
        try scene.expect(
            "p11tool --list-privkeys 'pkcs11:token=Zamok' 2> log | grep -c Label:; p11tool --test-sign 'pkcs11:token=Zamok;object=www;type=private' 2>&1 | grep -c ok",
            "2\n3\n")
    }

    @Test(
        .enabled(if: hasPrograms, "this system has no p11-kit, pkcs11-tool or p11tool"),
        .enabled(if: hasPlace, "this system gives root no view of the file system of its own"))
    func `a locked token says so, and opens with the passcode for that program alone`() throws {
        let scene = try Scene()
        try scene.expect("$T --list-token-slots 2> log | grep -c 'login required'; zamok lock", "0\n")
        try scene.expect("$T --list-token-slots 2> log | grep -c 'login required'", "1\n")
        try scene.expect("$T --list-objects --type privkey 2> log | grep -c 'Private Key'", "0\n", status: 1)
        let sign = "printf message > message; $T --sign --input-file message -m SHA256-RSA-PKCS --label rsa -o out"
        try scene.expect("\(sign) --login --pin wrong 2>&1 | grep -c CKR_PIN_INCORRECT", "1\n")
        try scene.expect("\(sign) --login --pin tall-grass > log 2>&1; wc -c < out", "256\n")
        guard try scene.stage.has("kernel-keyring") else { return }
        try scene.expect("zamok keys export rsa 2> log; grep -c locked log", "1\n")
    }
}
