import Foundation

/// What may go wrong.
enum BoxError: Error {
    case full(limit: Int)
    case empty
}

protocol Container {
    associatedtype Item
    var count: Int { get }
    mutating func add(_ item: Item) throws
}

struct Box<T: Comparable>: Container {
    private(set) var items: [T] = []
    let limit: Int

    var count: Int { return items.count }

    init(limit: Int = 10) {
        self.limit = limit
    }

    mutating func add(_ item: T) throws {
        guard count < limit else { throw BoxError.full(limit: limit) }
        items.append(item)
    }

    func largest() -> T? {
        return items.max { $0 < $1 }
    }
}

var box = Box<Int>(limit: 3)
for n in 1...5 where n % 2 == 1 {
    do {
        try box.add(n)
    } catch BoxError.full(let limit) {
        print("full at \(limit)")
    }
}
if let most = box.largest(), most > 2 { print(most) }
