-- goban-lua.lua: the reference of Lua, made of help: goban-cli run goban-lua.lua man (or html).
local format = arg[1]
assert(format == "man" or format == "html", "man or html?")

local rows, members, owners = app.reference(), {}, {}
for _, row in ipairs(rows) do
  local owner = row.name:match "^(.-)%." or row.name
  if not members[owner] then
    members[owner] = {}
    owners[#owners + 1] = owner
  end
  if row.name == owner then members[owner].row = row else table.insert(members[owner], row) end
end

-- Modules, then types, then what stands alone.
local modules, types, globals = {}, {}, {}
for _, owner in ipairs(owners) do
  local list = owner:find "^%u" and types or #members[owner] > 0 and modules or globals
  list[#list + 1] = owner
end

local intro = {
  "Goban's console, goban-cli run, goban-cli repl and goban-cli -e run Lua 5.4 with the modules "
    .. "and types below. help() at a prompt shows the same words; help \"graph.load\", or "
    .. "graph.load?, those of one name; apropos \"memory\" searches them.",
  "Times are seconds and sizes bytes; a string with a unit, such as \"1.5ms\" or \"8GB\", does "
    .. "where a number is asked. Options are one table, the last argument. A function that cannot "
    .. "do what was asked returns nil and the reason; a wrong argument is an error. A call that is "
    .. "the last argument of another gives it all of its answers: figures beside the first are "
    .. "then left out, and the reason of a nil is in the error. Lists begin with 1.",
  "Names before a colon or a period are usual ones: g a graph, p a plan, r a run, s a set of "
    .. "nodes, n a node, c a cluster, d a comparison. Examples run with samples/toy.dot open.",
}

if format == "man" then
  local function escape(text)
    text = text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("~", "\\(ti"):gsub("%^", "\\(ha")
    text = text:gsub("“", "\\(lq"):gsub("”", "\\(rq")
    return (text:gsub("^([.'])", "\\&%1"))
  end
  local function entry(row)
    print(".TP")
    print(".B " .. escape(row.signature):gsub('"', "\\(dq"):gsub(" ", "\\ "))
    print(escape(row.sentence))
    if row.example then print(".br\nExample:\n.B " .. escape(row.example):gsub('"', "\\(dq")) end
  end
  local function section(heading, list)
    print(".SH " .. heading)
    for _, owner in ipairs(list) do
      local parts = members[owner]
      if #parts > 0 or list == types then print(".SS " .. escape(owner)) end
      if list == globals then
        entry(parts.row)
      else
        print(escape(parts.row.sentence))
        if parts.row.signature ~= owner then entry(parts.row) end
        for _, row in ipairs(parts) do entry(row) end
      end
    end
  end
  print('.TH GOBAN\\-LUA 7 "" "Goban ' .. app.version .. '" "Miscellaneous Information"')
  print(".ad l\n.SH NAME\ngoban\\-lua \\- functions, types and fields of Goban for scripts")
  print(".SH DESCRIPTION")
  print(escape(intro[1]) .. "\n.PP\n" .. escape(intro[2]) .. "\n.PP\n" .. escape(intro[3]))
  section("MODULES", modules)
  section("TYPES", types)
  section("GLOBALS", globals)
  print(".SH SEE ALSO\n.BR goban (1),\n.BR goban\\-cli (1),\n.BR lua (1)")
  return
end

local function escape(text)
  local names = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
  return (text:gsub("[&<>\"]", names))
end
local function entry(row)
  print(('<dt id="%s"><code>%s</code></dt>'):format(row.name, escape(row.signature)))
  print("<dd>" .. escape(row.sentence)
    .. (row.example and "<br><code>" .. escape(row.example) .. "</code>" or "") .. "</dd>")
end
local function section(heading, list)
  print(("<h2>%s</h2>"):format(heading))
  if list == globals then print "<dl>" end
  for _, owner in ipairs(list) do
    local parts = members[owner]
    if list == globals then
      entry(parts.row)
    else
      local sentence = escape(parts.row.sentence)
      print(('<h3 id="%s">%s</h3>\n<p>%s</p>\n<dl>'):format(owner, owner, sentence))
      for _, row in ipairs(parts) do entry(row) end
      print "</dl>"
    end
  end
  if list == globals then print "</dl>" end
end
local function links(list)
  local all = {}
  for i, owner in ipairs(list) do all[i] = ('<a href="#%s">%s</a>'):format(owner, owner) end
  return table.concat(all, " ")
end
print([[<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lua in Goban</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: auto; padding: 1em; }
dt { margin-top: .8em; } dd { margin-left: 1.5em; } code { overflow-wrap: anywhere; }
dd code { color: #555; } nav a { margin-right: .5em; }
@media (prefers-color-scheme: dark) {
  body { background: #1e1e1e; color: #ddd; } a { color: #8cf; } dd code { color: #aaa; }
}
</style>
</head>
<body>]])
print(("<h1>Lua in Goban %s</h1>"):format(app.version))
for _, text in ipairs(intro) do print("<p>" .. escape(text) .. "</p>") end
print("<nav><p>" .. links(modules) .. "</p>\n<p>" .. links(types) .. "</p></nav>")
section("Modules", modules)
section("Types", types)
section("Globals", globals)
print "</body>\n</html>"
