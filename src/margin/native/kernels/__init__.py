"""Kernel matrices of vectors, strings, trees and graphs."""
