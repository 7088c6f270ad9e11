"""Families of one continuous number."""
