// SPDX-License-Identifier: Apache-2.0

// On Apple's systems Foundation brings Security with it. One such line in one file of a target does the same.
@_exported import Security
