# Fits our cumulative logit mixed model with R's package ordinal, and writes ordinal_r.csv, which
# test_reference.py compares with our estimates.
#
#     apt-get install r-cran-ordinal
#     Rscript pipeline/tests/stats/reference/clmm.R
#
# Run it in the project's folder. It reads ordinal_votes.csv (see make_ordinal.py).

library(ordinal)

folder <- "pipeline/tests/stats/reference"
votes <- read.csv(file.path(folder, "ordinal_votes.csv"), colClasses = c(clip = "character"))

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
estimates <- c(
  effect = coef(fit)[["arm"]],
  se = sqrt(diag(vcov(fit)))[["arm"]],
  participant_sd = deviations$participant[[1]],
  participant_arm_sd = deviations$participant[[2]],
  site_sd = deviations$site[[1]],
  site_arm_sd = deviations$site[[2]],
  clip_sd = deviations$clip[[1]],
  log_likelihood = as.numeric(logLik(fit))
)

written <- data.frame(name = names(estimates), value = sprintf("%.6f", estimates))
write.csv(written, file.path(folder, "ordinal_r.csv"), row.names = FALSE, quote = FALSE)
cat(R.version.string, "- ordinal", as.character(packageVersion("ordinal")), "\n")
