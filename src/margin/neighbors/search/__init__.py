"""Nearest points on plain arrays: metrics, searches by products, blocks, trees and matrices."""
