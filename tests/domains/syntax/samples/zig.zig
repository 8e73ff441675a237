//! A list that grows.
const std = @import("std");
const Allocator = std.mem.Allocator;

pub const Error = error{ Full, Empty };

pub fn List(comptime T: type) type {
    return struct {
        const Self = @This();
        items: []T,
        len: usize = 0,

        pub fn init(allocator: Allocator, size: usize) !Self {
            return Self{ .items = try allocator.alloc(T, size) };
        }

        pub fn push(self: *Self, item: T) Error!void {
            if (self.len == self.items.len) return Error.Full;
            self.items[self.len] = item;
            self.len += 1;
        }

        pub fn last(self: Self) ?T {
            return if (self.len > 0) self.items[self.len - 1] else null;
        }
    };
}

pub fn main() !void {
    var list = try List(u32).init(std.heap.page_allocator, 4);
    for ([_]u32{ 1, 2, 3 }) |n| {
        list.push(n * 2) catch |err| switch (err) {
            Error.Full => break,
            else => return err,
        };
    }
    while (list.last()) |n| : (list.len -= 1) {
        std.debug.print("{d}\n", .{n});
    }
}
