"""Published results: typed values, each field declared once, from which every form is derived."""
