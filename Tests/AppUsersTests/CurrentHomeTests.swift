// SPDX-License-Identifier: Apache-2.0

import Testing

/// Whatever switches: `Home.current` belongs to the process, so that only one of these tests runs at a time.
@Suite(.serialized, .ahead) enum CurrentHomeTests {}
