"""A name with everything that XML, SVG, Prometheus and HTML would misread."""

HOSTILE = 'a</title><script>alert(1)</script>"\'&\\ \n{b="c"} \x01\x0b\ufffe\u202eevil\U0001f600 العربية ]]>'
