
xla_stepmain.3E
main.3
p.1	parameter˜
n.2negate˜¢(0(0