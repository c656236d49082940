"""What runs inside a sandbox, where it is the package `assay_inside`; standard library only."""
