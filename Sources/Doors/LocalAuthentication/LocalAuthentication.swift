// SPDX-License-Identifier: Apache-2.0

// On Apple's systems a product of this name would hide the framework: take it under a platform condition, as
// `Security` is taken. There the target is empty.
