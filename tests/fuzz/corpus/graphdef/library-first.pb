"


f
^yNeg
z
	
yNoOp