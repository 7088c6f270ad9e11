"""Files of trees: ours, and those of LightGBM and XGBoost."""
