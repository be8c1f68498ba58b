"""The adapters: one module per executor, and nothing else. Each is published by its manifest."""
