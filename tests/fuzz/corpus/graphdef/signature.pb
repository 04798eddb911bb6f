Ç
"serve*2.14.0

xPlaceholder

w
VariableV2

yMatMulxw


save/ConstConst
$
save/SaveV2SaveV2
save/Constw

initAssignw
save/Const*!
serving_default
out
y:0