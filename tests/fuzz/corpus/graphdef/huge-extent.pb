
O
xPlaceholder*
dtype0*0
shape':%
€€€€€€€€@
€€€€€€€€@ûÿÿÿÿÿÿÿÿ