0E0¢˜negate
n.2(
p.1	parameter˜
main.3(main.3
m