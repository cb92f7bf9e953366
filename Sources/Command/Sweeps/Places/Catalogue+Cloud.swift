// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Clouds, clusters and what is set up in them.
    static let cloud: [Place] = providers + smallerProviders + clusters + storage + infrastructure

    private static func storedBy(_ program: String) -> Move {
        .clearOnly(reason: "\(program) writes it itself and reads it in clear; its own logout removes it")
    }

    private static let providers: [Place] = [
        // https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html
        Place(
            "aws", program: "AWS", files: [".aws/credentials", ".aws/config"],
            variables: [("AWS_SHARED_CREDENTIALS_FILE", ""), ("AWS_CONFIG_FILE", "")],
            names: [".aws/credentials", ".aws/config"],
            rotation: "https://console.aws.amazon.com/iam/home#/security_credentials", move: .helper(program: "aws"),
            format: .ini,
            [
                Pick("*", "aws_secret_access_key", name: "secretAccessKey", service: "aws", account: "$1"),
                Pick("*", "aws_session_token", name: "sessionToken", service: "aws", account: "$1"),
                Pick("*", "aws_security_token", name: "sessionToken", service: "aws", account: "$1"),
            ]),
        // https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-sso.html
        Place(
            "aws-sso", program: "AWS's single sign-on", files: [".aws/sso/cache/*.json", ".aws/cli/cache/*.json"],
            move: storedBy("AWS's command"), format: .json,
            [
                Pick("accessToken", name: "accessToken"), Pick("refreshToken", name: "refreshToken"),
                Pick("clientSecret", name: "clientSecret"),
                Pick("Credentials", "SecretAccessKey", name: "secretAccessKey"),
                Pick("Credentials", "SessionToken", name: "sessionToken"),
            ]),
        // https://cloud.google.com/docs/authentication/application-default-credentials
        Place(
            "gcloud", program: "Google Cloud",
            files: [
                ".config/gcloud/application_default_credentials.json", ".config/gcloud/legacy_credentials/*/adc.json",
            ],
            variables: [
                ("GOOGLE_APPLICATION_CREDENTIALS", ""), ("CLOUDSDK_CONFIG", "application_default_credentials.json"),
            ],
            names: ["application_default_credentials.json", "adc.json"],
            rotation: "https://console.cloud.google.com/iam-admin/serviceaccounts", move: storedBy("gcloud"),
            format: .json,
            [
                Pick("refresh_token", name: "refreshToken"), Pick("client_secret", name: "clientSecret"),
                Pick("private_key", name: "privateKey"),
            ]),
        // https://cloud.google.com/storage/docs/boto-gsutil
        Place(
            "boto", program: "gsutil and boto", files: [".boto", ".config/gcloud/legacy_credentials/*/.boto"],
            variables: [("BOTO_CONFIG", "")], names: [".boto"], move: storedBy("gsutil"), format: .ini,
            [
                Pick("*", "*secret_access_key", name: "secretAccessKey"),
                Pick("*", "gs_oauth2_refresh_token", name: "refreshToken"),
                Pick("*", "client_secret", name: "clientSecret"), Pick("*", "*_pass", name: "proxy"),
                Pick("*", "gs_service_key_file_password", name: "password"),
                Pick("*", "encryption_key", name: "encryptionKey"),
            ]),
        // https://learn.microsoft.com/cli/azure/msal-based-azure-cli
        Place(
            "azure", program: "Azure CLI",
            files: [
                ".azure/accessTokens.json", ".azure/msal_token_cache.json", ".azure/service_principal_entries.json",
                ".azure/config",
            ], variables: [("AZURE_CONFIG_DIR", "msal_token_cache.json")],
            names: [".azure/msal_token_cache.json", ".azure/accessTokens.json"], move: storedBy("az"),
            fields: jsonOrINI,
            [
                Pick("*", "accessToken", name: "accessToken"), Pick("*", "refreshToken", name: "refreshToken"),
                Pick("RefreshToken", "*", "secret", name: "refreshToken"),
                Pick("AccessToken", "*", "secret", name: "accessToken"),
                Pick("IdToken", "*", "secret", name: "idToken"), Pick("*", "client_secret", name: "clientSecret"),
                Pick("storage", "key", name: "storageKey"), Pick("storage", "sas_token", name: "sasToken"),
                Pick("storage", "connection_string", name: "connectionString"),
            ]),
    ]

    private static func jsonOrINI(_ bytes: [UInt8]) -> [Field] {
        let fields = JSONText.fields(bytes)
        return fields.isEmpty ? LineText(.ini).fields(bytes) : fields
    }

    private static let smallerProviders: [Place] = [
        // https://docs.digitalocean.com/reference/doctl/
        Place(
            "doctl", program: "DigitalOcean", files: [".config/doctl/config.yaml"], names: ["doctl/config.yaml"],
            rotation: "https://cloud.digitalocean.com/account/api/tokens",
            move: .environment(name: "DIGITALOCEAN_ACCESS_TOKEN"), format: .yaml,
            [Pick("access-token", name: "token"), Pick("auth-contexts", "*", name: "token", account: "$1")]),
        Place(
            "hcloud", program: "Hetzner Cloud", files: [".config/hcloud/cli.toml"],
            move: .environment(name: "HCLOUD_TOKEN"),
            format: .toml, [Pick("contexts", "token", name: "token"), Pick("**", "token", name: "token")]),
        Place(
            "linode", program: "Linode", files: [".config/linode-cli"],
            rotation: "https://cloud.linode.com/profile/tokens",
            move: .environment(name: "LINODE_CLI_TOKEN"), format: .ini,
            [Pick("*", "token", name: "token", account: "$1")]),
        Place(
            "scaleway", program: "Scaleway", files: [".config/scw/config.yaml"],
            rotation: "https://console.scaleway.com/iam/api-keys", move: .environment(name: "SCW_SECRET_KEY"),
            format: .yaml,
            [
                Pick("secret_key", name: "secretKey"),
                Pick("profiles", "*", "secret_key", name: "secretKey", account: "$1"),
            ]),
        Place(
            "ovh", program: "OVH", files: [".ovh.conf"], names: ["ovh.conf", ".ovh.conf"],
            move: .environment(name: "OVH_$KEY"), format: .ini,
            [
                Pick("*", "application_secret", name: "applicationSecret"),
                Pick("*", "consumer_key", name: "consumerKey"),
            ]),
        Place(
            "oci", program: "Oracle Cloud", files: [".oci/config"], move: storedBy("oci"), format: .ini,
            [Pick("*", "pass_phrase", name: "passPhrase", account: "$1")]),
        Place(
            "aliyun", program: "Alibaba Cloud", files: [".aliyun/config.json"],
            move: .environment(name: "ALIBABA_CLOUD_ACCESS_KEY_SECRET"), format: .json,
            [
                Pick("profiles", "*", "access_key_secret", name: "accessKeySecret"),
                Pick("profiles", "*", "sts_token", name: "token"),
            ]),
        Place(
            "ibmcloud", program: "IBM Cloud", files: [".bluemix/config.json"], move: storedBy("ibmcloud"),
            format: .json,
            [Pick("**", "IAMToken", name: "token"), Pick("**", "IAMRefreshToken", name: "refreshToken")]),
        Place(
            "databricks", program: "Databricks", files: [".databrickscfg"], names: [".databrickscfg"],
            move: .environment(name: "DATABRICKS_TOKEN"), format: .ini,
            [
                Pick("*", "token", name: "token", account: "$1"),
                Pick("*", "password", name: "password", account: "$1"),
                Pick("*", "*client_secret", name: "clientSecret", account: "$1"),
            ]),
        Place(
            "snowflake", program: "Snowflake",
            files: [".snowsql/config", ".snowflake/connections.toml", ".config/snowflake/connections.toml"],
            move: .environment(name: "SNOWSQL_PWD"), format: .ini,
            [Pick("*", "password", name: "password", account: "$1"), Pick("*", "*passphrase", name: "passphrase")]),
    ]

    private static let clusters: [Place] = [
        // https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
        Place(
            "kube", program: "kubectl", files: [".kube/config"], variables: [("KUBECONFIG", "")],
            names: ["kubeconfig", "*.kubeconfig", ".kube/config", "kubeconfig.y*ml"],
            move: .command(key: "token", template: "$COMMAND"), format: .yaml,
            [
                Pick("users", "*", "user", "token", name: "token", account: "$1"),
                Pick("users", "*", "user", "password", name: "password", account: "$1"),
                Pick("users", "*", "user", "client-key-data", name: "clientKey", as: .is(.base64), account: "$1"),
                Pick("users", "*", "user", "auth-provider", "config", "*token", name: "token", account: "$1"),
                Pick(
                    "users", "*", "user", "auth-provider", "config", "client-secret", name: "clientSecret",
                    account: "$1"),
            ]),
        // https://argo-cd.readthedocs.io/en/stable/user-guide/commands/argocd_login/
        Place(
            "argocd", program: "Argo CD", files: [".config/argocd/config", ".argocd/config"],
            move: .environment(name: "ARGOCD_AUTH_TOKEN"), format: .yaml,
            [
                Pick("users", "*", "auth-token", name: "token"),
                Pick("users", "*", "refresh-token", name: "refreshToken"),
            ]),
        // https://docs.openstack.org/python-openstackclient/latest/configuration/index.html
        Place(
            "openstack", program: "OpenStack",
            files: [".config/openstack/clouds.yaml", ".config/openstack/secure.yaml"],
            names: ["clouds.yaml", "secure.yaml"], move: .environment(name: "OS_PASSWORD"), format: .yaml,
            [
                Pick("clouds", "*", "auth", "password", name: "password", account: "$1"),
                Pick("clouds", "*", "auth", "application_credential_secret", name: "secret", account: "$1"),
                Pick("clouds", "*", "auth", "token", name: "token", account: "$1"),
            ]),
        // https://docs.docker.com/reference/cli/docker/login/
        Place(
            "docker", program: "Docker", files: [".docker/config.json"], variables: [("DOCKER_CONFIG", "config.json")],
            names: [".docker/config.json", ".dockerconfigjson", ".dockercfg"],
            rotation: "https://app.docker.com/settings/personal-access-tokens", move: .helper(program: "docker"),
            format: .json,
            dockerPicks),
        // https://man.archlinux.org/man/containers-auth.json.5
        Place(
            "containers", program: "Podman, Buildah and Skopeo",
            files: [".config/containers/auth.json", ".config/helm/registry/config.json"],
            variables: [("REGISTRY_AUTH_FILE", "")], names: ["containers/auth.json"], move: storedBy("podman"),
            format: .json,
            dockerPicks),
    ]

    private static let dockerPicks = [
        Pick("auths", "*", "auth", name: "auth", as: .is(.basic), service: "$1"),
        Pick("auths", "*", "password", name: "password", service: "$1"),
        Pick("auths", "*", "identitytoken", name: "identitytoken", service: "$1", account: "<token>"),
        Pick("auths", "*", "registrytoken", name: "registrytoken", service: "$1", account: "<registry>"),
        Pick("*", "auth", name: "auth", as: .is(.basic), service: "$1"), Pick("proxies", "**", name: "proxy", as: .url),
        Pick("HttpHeaders", "*", name: "header", as: .header, onlySecretNames: true, account: "$1"),
    ]

    private static let storage: [Place] = [
        // https://rclone.org/docs/#config-file
        Place(
            "rclone", program: "rclone", files: [".config/rclone/rclone.conf", ".rclone.conf"],
            variables: [("RCLONE_CONFIG", "")], names: ["rclone.conf"],
            move: .environment(name: "RCLONE_CONFIG_$SECTION_$KEY"), format: .ini,
            [
                Pick("*", "pass", name: "pass", account: "$1/pass"),
                Pick("*", "password*", name: "password", account: "$1/password$2"),
                Pick("*", "token", name: "token", account: "$1/token"),
                Pick("*", "*secret*", name: "secret", account: "$1/$2secret$3"),
                Pick("*", "key", name: "key", account: "$1/key"),
                Pick("*", "*api_key", name: "apiKey", account: "$1/$2api_key"),
                Pick("*", "*passphrase", name: "passphrase", account: "$1/passphrase"),
                Pick("*", "*pass", name: "pass", account: "$1/$2pass"),
                Pick("*", "sas_url", name: "sasURL", account: "$1/sas_url"),
                Pick("*", "bearer_token", name: "token", account: "$1/bearer_token"),
                Pick("*", "*access_token", name: "token", account: "$1/$2access_token"),
                Pick("*", "service_account_credentials", name: "serviceAccount", account: "$1"),
                Pick("*", "auth_token", name: "token", account: "$1/auth_token"),
                Pick("*", "url", name: "url", as: .url),
            ]),
        // https://s3tools.org/kb/item14.htm
        Place(
            "s3cmd", program: "s3cmd", files: [".s3cfg"], names: [".s3cfg"], move: .variable(template: "$$NAME"),
            format: .ini,
            [
                Pick("*", "secret_key", name: "secretKey", account: "$1"),
                Pick("*", "access_token", name: "accessToken", account: "$1"),
                Pick("*", "gpg_passphrase", name: "passphrase", account: "$1"),
                Pick("*", "kms_key", name: "kmsKey", account: "$1"),
            ]),
        // https://min.io/docs/minio/linux/reference/minio-mc.html
        Place(
            "mc", program: "MinIO", files: [".mc/config.json", ".mcli/config.json"],
            variables: [("MC_CONFIG_DIR", "config.json")],
            names: [".mc/config.json"], move: .environment(name: "MC_HOST_$SECTION"), format: .json,
            [
                Pick("aliases", "*", "secretKey", name: "secretKey", account: "$1"),
                Pick("aliases", "*", "sessionToken", name: "sessionToken", account: "$1"),
                Pick("hosts", "*", "secretKey", name: "secretKey", account: "$1"),
            ]),
        // https://restic.readthedocs.io/en/stable/040_backup.html#environment-variables
        Place(
            "restic", program: "restic and borg by a file",
            files: [".restic-password", ".config/restic/password", ".borg-passphrase", ".config/borg/passphrase"],
            variables: [("RESTIC_PASSWORD_FILE", "")],
            names: [
                ".restic-password", "restic-password", "restic-password.txt", ".borg-passphrase", "borg-passphrase",
            ],
            move: .command(key: "", template: "RESTIC_PASSWORD_COMMAND=\"$COMMAND\""), fields: LineText.whole,
            [Pick("line", name: "password")]),
        // https://torsion.org/borgmatic/
        Place(
            "borgmatic", program: "borgmatic", files: [".config/borgmatic/config.yaml", ".config/borgmatic.d/*.yaml"],
            names: ["borgmatic.yaml"], move: .variable(template: "${$NAME}"), format: .yaml,
            [Pick("**", "encryption_passphrase", name: "passphrase"), Pick("**", "*password", name: "password")]),
        Place(
            "kopia", program: "Kopia", files: [".config/kopia/*.kopia-password"],
            move: .environment(name: "KOPIA_PASSWORD"),
            fields: LineText.whole, [Pick("line", name: "password", as: .is(.base64))]),
        // https://savannah.nongnu.org/projects/davfs2
        Place(
            "davfs2", program: "davfs2", files: [".davfs2/secrets"], names: [".davfs2/secrets"],
            move: .clearOnly(reason: "davfs2 reads it in clear"), fields: WordText.thirdWords,
            [Pick("*", "*", name: "password", service: "$1", account: "$2")]),
    ]

    private static let infrastructure: [Place] = [
        // https://developer.hashicorp.com/terraform/cli/config/config-file#credentials
        Place(
            "terraform", program: "Terraform", files: [".terraform.d/credentials.tfrc.json"],
            names: ["credentials.tfrc.json"],
            rotation: "https://app.terraform.io/app/settings/tokens",
            move: .clearOnly(reason: "a credentials_helper block in .terraformrc asks a program in its place"),
            format: .json,
            [Pick("credentials", "*", "token", name: "token", account: "$1")]),
        Place(
            "terraform-config", program: "Terraform", files: [".terraformrc", ".tofurc"],
            names: [".terraformrc", "terraform.rc"],
            rotation: "https://app.terraform.io/app/settings/tokens",
            move: .clearOnly(reason: "a credentials_helper block in .terraformrc asks a program in its place"),
            format: .environment,
            [Pick("token", name: "token")]),
        Place(
            "tfvars", program: "Terraform", files: [], names: ["*.tfvars"], move: .environment(name: "TF_VAR_$key"),
            format: .environment,
            [Pick("*", name: "variable", onlySecretNames: true, account: "$1"), Pick("*", name: "url", as: .url)]),
        // https://developer.hashicorp.com/terraform/language/state
        Place(
            "tfstate", program: "Terraform's state", files: [], names: ["*.tfstate", "*.tfstate.backup"],
            move: .clearOnly(reason: "a remote backend keeps the state elsewhere, encrypted"), fields: StateText.fields,
            [
                Pick("output", "*", name: "output", account: "$1"),
                Pick("attribute", "*", name: "attribute", account: "$1"),
            ]),
        // https://developer.hashicorp.com/vault/docs/commands/login
        Place(
            "vault", program: "HashiCorp Vault", files: [".vault-token"], names: [".vault-token"],
            move: .environment(name: "VAULT_TOKEN"), fields: LineText.whole, [Pick("line", name: "token")]),
        // https://www.pulumi.com/docs/iac/cli/
        Place(
            "pulumi", program: "Pulumi", files: [".pulumi/credentials.json"],
            rotation: "https://app.pulumi.com/account/tokens",
            move: .environment(name: "PULUMI_ACCESS_TOKEN"), format: .json,
            [
                Pick("accessTokens", "*", name: "token", account: "$1"),
                Pick("accounts", "*", "accessToken", name: "token", account: "$1"),
            ]),
        // https://docs.ansible.com/ansible/latest/vault_guide/vault_managing_passwords.html
        Place(
            "ansible", program: "Ansible Vault's password file",
            files: [".vault_pass", ".ansible/vault_pass", ".vault_pass.txt", ".ansible_vault_pass"],
            variables: [("ANSIBLE_VAULT_PASSWORD_FILE", "")],
            names: [
                ".vault_pass", ".vault_pass.txt", "vault_pass", "vault_pass.txt", ".vault_password", ".vault-password",
                ".ansible_vault_pass",
            ],
            move: .command(key: "", template: "#!/bin/sh\nexec $COMMAND\n"), fields: LineText.password,
            [Pick("line", name: "password")]),
    ]
}
