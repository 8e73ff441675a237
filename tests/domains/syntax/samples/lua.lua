-- A queue with priorities.
local Queue = {}
Queue.__index = Queue

function Queue.new(compare)
  local self = setmetatable({ items = {}, size = 0 }, Queue)
  self.compare = compare or function(a, b) return a < b end
  return self
end

function Queue:push(value)
  self.size = self.size + 1
  local i = self.size
  self.items[i] = value
  while i > 1 do
    local parent = math.floor(i / 2)
    if not self.compare(self.items[i], self.items[parent]) then break end
    self.items[i], self.items[parent] = self.items[parent], self.items[i]
    i = parent
  end
end

function Queue:peek() return self.items[1] end

local q = Queue.new()
for _, v in ipairs { 5, 3, 8, [4] = 0x1F } do
  q:push(v)
end
for i = 1, #q.items, 2 do
  io.write(("%d "):format(q.items[i]))
end
repeat q.size = q.size - 1 until q.size <= 0 or q:peek() == nil
print [[a long
string]]
return Queue
