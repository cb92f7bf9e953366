// SPDX-License-Identifier: Apache-2.0

#if canImport(Security) && !canImport(Darwin)
#error("the condition of the product is false, and its module is here all the same")
#endif

print("built without Security")
