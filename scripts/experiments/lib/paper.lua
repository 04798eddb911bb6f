-- paper.lua: what GO's paper prints, for columns beside ours.
--
-- Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020. The averages are those
-- that its authors published on their blog, too. The rest is remembered, not read again: tables
-- call it so, and nothing is judged by it. Figures that are not sure enough even for that (METIS,
-- the cost of search) are left out.
local paper = {}

paper.REMEMBERED = "paper, as remembered"

paper.averages = {
  less_than_hp = 0.205,
  less_than_hdp = 0.182,
  fewer_evaluations = 15,
  joint_less_than_tf = { 0.33, 0.60 },
  joint_less_than_apart = 0.078,
}

-- Seconds a step: GO-one, the human experts' plan, HDP. Cells that contradict the percentages
-- printed beside them, as remembered, are left out.
paper.seconds = {
  ["2-layer RNNLM"] = { go = 0.173, hp = 0.192, hdp = 0.191 },
  ["4-layer RNNLM"] = { go = 0.210, hp = 0.239, hdp = 0.251 },
  ["8-layer RNNLM"] = { go = 0.320, hp = 0.332, hdp = 0.764 },
  ["2-layer GNMT"] = { go = 0.301, hp = 0.384 },
  ["4-layer GNMT"] = { go = 0.350, hp = 0.469, hdp = 0.432 },
  ["8-layer GNMT"] = { go = 0.440, hp = 0.562, hdp = 0.693 },
  ["2-layer Transformer-XL"] = { go = 0.223, hp = 0.268, hdp = 0.262 },
  ["4-layer Transformer-XL"] = { go = 0.230, hp = 0.270, hdp = 0.259 },
  ["8-layer Transformer-XL"] = { go = 0.350, hp = 0.460 },
  ["Inception-v3 b32"] = { go = 0.229, hp = 0.312, hdp = 0.301 },
  ["Inception-v3 b64"] = { go = 0.423, hp = 0.731 },
  ["AmoebaNet"] = { go = 0.394, hdp = 0.418 },
  ["WaveNet 2x18"] = { go = 0.317, hp = 0.376, hdp = 0.354 },
  ["WaveNet 4x36"] = { go = 0.659, hp = 0.988, hdp = 0.721 },
}

-- How much longer a step takes without the part.
paper.ablations = { ["no attention"] = 0.18, ["no modulation"] = 0.065 }

return paper
