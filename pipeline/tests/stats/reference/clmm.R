# Compares our estimates of a cumulative logit mixed model with those of R's package ordinal.
#
#     install.packages("ordinal")
#     Rscript pipeline/tests/stats/reference/clmm.R
#
# Run it in the project's folder. It reads ordinal_votes.csv and ordinal_effect.csv (see make_ordinal.py), prints both
# sides, and ends with status 1 where an estimate differs by more than 0.001.

library(ordinal)

folder <- "pipeline/tests/stats/reference"
votes <- read.csv(file.path(folder, "ordinal_votes.csv"), colClasses = c(clip = "character"))
ours <- read.csv(file.path(folder, "ordinal_effect.csv"))

votes$score <- factor(votes$score, ordered = TRUE)
votes$arm <- votes$arm - 0.5
for (name in c("participant", "site", "clip", "network")) votes[[name]] <- factor(votes[[name]])
contrasts(votes$network) <- contr.sum(nlevels(votes$network))

fit <- clmm(
  score ~ arm * network + (1 + arm | participant) + (1 + arm | site) + (1 | clip),
  data = votes, link = "logit", nAGQ = 1, control = clmm.control(gradTol = 1e-6)
)
print(summary(fit))

deviations <- lapply(VarCorr(fit), function(covariance) attr(covariance, "stddev"))
theirs <- c(
  effect = coef(fit)[["arm"]],
  se = sqrt(diag(vcov(fit)))[["arm"]],
  participant_sd = deviations$participant[[1]],
  participant_arm_sd = deviations$participant[[2]],
  site_sd = deviations$site[[1]],
  site_arm_sd = deviations$site[[2]],
  clip_sd = deviations$clip[[1]],
  log_likelihood = as.numeric(logLik(fit))
)

ours$r <- theirs[ours$name]
ours$difference <- ours$value - ours$r
print(ours)
if (any(abs(ours$difference) > 0.001)) {
  cat("An estimate differs by more than 0.001.\n")
  quit(status = 1)
}
