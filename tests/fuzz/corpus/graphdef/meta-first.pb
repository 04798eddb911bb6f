2

xPlaceholder

yNegx
"serve*2.14.0