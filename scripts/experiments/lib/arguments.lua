-- arguments.lua: the options of a script, each "--name value" or "--name" alone.
local arguments = {}

-- Makes a table by names of words. kinds says what each option takes: "number", "text" or "flag".
-- An empty text is none.
function arguments.read(words, kinds)
  local opts, i = {}, 1
  while i <= #words do
    local key = words[i]:match "^%-%-([%a%-]+)$"
    local kind = key and kinds[key]
    if not kind then
      error(("%s: there is no such option; the head of this script lists them"):format(words[i]), 0)
    elseif kind == "flag" then
      opts[key] = true
    else
      i = i + 1
      local value = words[i]
      if kind == "number" then value = tonumber(value) end
      if not value then
        error(("--%s: a %s is missing"):format(key, kind == "number" and kind or "word"), 0)
      end
      opts[key] = value ~= "" and value or nil
    end
    i = i + 1
  end
  return opts
end

-- "a, b" as a list.
function arguments.split(list)
  local names = {}
  for name in list:gmatch "[^,%s]+" do names[#names + 1] = name end
  return names
end

-- "go=anneal,hdp=post" as a function of names: what stands in for a policy. Others stand for
-- themselves.
function arguments.stand_ins(text)
  local real = {}
  for _, pair in ipairs(arguments.split(text or "")) do
    local name, other = pair:match "^([%w%-]+)=([%w%-]+)$"
    if not name then error(("--stand-in: “%s” is not like go-one=anneal"):format(pair), 0) end
    real[name] = other
  end
  return function(name) return real[name] or name end
end

return arguments
