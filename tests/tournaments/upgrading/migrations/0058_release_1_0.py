import importlib

Migration = importlib.import_module("tournaments.migrations.0058_release_1_0").Migration
