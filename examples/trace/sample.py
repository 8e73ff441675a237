sum = 0
mul = 1
a = int(input("a? "))
b = int(input("b? "))
while a <= b:
    sum = sum + a
    mul = mul * a
    a = a + 1

print("sum =", sum)
print("mul =", mul)
