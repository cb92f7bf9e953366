# SPDX-License-Identifier: Apache-2.0
"""Tests of libsecret that cannot pass with a real service, by pattern, each with its reason. One that passes all the same is told."""

MOCK = "is played by the mock service alone"
ALWAYS = {
    r"/prompt/(run|perform-\w+|result|window-id|service-(sync|async|path|fail))": f"a prompt of a fixed path, with an answer made for the test, {MOCK}",
    r"/session/ensure-(plain|async-plain|async-twice)": f"a service without encrypted sessions {MOCK}",
}

PERSON = "without a person gnome-keyring asks nobody, and dismisses"
PEER = ALWAYS | {
    r"/service/create-collection-(sync|async)|/collection/create-(sync|async)": PERSON,
    r"/service/create-item-(sync|async)": "gnome-keyring refuses the properties that the test gives",
    r"/service/(set-alias-path|set-alias-sync)": "gnome-keyring has the alias default alone",
    r"/service/store-no-default|/password/store-unlock": PERSON,
    r"/item/set-secret-sync": "gnome-keyring keeps no content types",
}

ONE_LOCK = "of the fixtures one collection is locked and another is not; there is one lock, which destroys keys (Decision 0036)"
OURS = ALWAYS | {
    r"/service/(search-for-paths|search-for-paths-async|search-for-paths-nulls|secrets-for-paths-(sync|async))": ONE_LOCK,
    r"/service/(search-all|search-secrets)-(sync|async)|/service/clear-locked|/item/secrets-(sync|async)": ONE_LOCK,
}
