"""What a batch folder holds of a campaign, so that an interrupted capture continues under the same conditions."""
