// SPDX-License-Identifier: Apache-2.0

// Messages of etcd's JSON gateway, with its own names. Bytes are base64, numbers of 64 bits are strings, and zeros are
// left out.

struct Header: Decodable {
    let revision: String?
}

struct KeyValue: Decodable {
    let key: String
    let value: String?
    let lease: String?

    var isLeased: Bool { lease != nil && lease != "0" }
}

struct RangeRequest: Encodable {
    var key: String
    var range_end: String?
    var limit: String? = "1"
    var count_only: Bool?
}

struct RangeAnswer: Decodable {
    let header: Header
    let kvs: [KeyValue]?
    let count: String?
}

struct Transaction: Encodable {
    struct Compare: Encodable {
        let key: String
        let target = "CREATE"
        let create_revision = "0"
    }

    struct Put: Encodable {
        let key: String
        let value: String
    }

    struct Step: Encodable {
        var request_put: Put?
        var request_range: RangeRequest?
    }

    struct Answer: Decodable {
        struct Response: Decodable {
            struct Range: Decodable {
                let kvs: [KeyValue]?
            }

            let response_range: Range?
        }

        let succeeded: Bool?
        let responses: [Response]?
    }

    let compare: [Compare]
    let success: [Step]
    let failure: [Step]
}

struct Watch: Encodable {
    struct Create: Encodable {
        let key: String
        let range_end: String
        let start_revision: String
    }

    struct Told: Decodable {
        struct Result: Decodable {
            struct Event: Decodable {}

            let created: Bool?
            let canceled: Bool?
            let events: [Event]?
        }

        let result: Result?
    }

    let create_request: Create
}

struct Authentication: Encodable {
    struct Answer: Decodable {
        let token: String
    }

    let name: String
    let password: String
}

struct Fault: Decodable {
    let code: Int?
}

struct Empty: Decodable {}
