// SPDX-License-Identifier: Apache-2.0

import Testing

/// `Home.current` belongs to the process, so that only one of the tests that switch users runs at a time.
@Suite(.serialized, .ahead) enum CurrentHomeTests {}
