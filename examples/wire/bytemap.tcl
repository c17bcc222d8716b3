#!/usr/bin/env tclsh
# GPT-2's byte map over the wire, in a language without a JSON library: a request is read by patterns.
# Written from docs/wire.md. Offers encode_bytes and decode_chars, and answers everything else with an error.

fconfigure stdin -encoding utf-8 -translation lf
fconfigure stdout -encoding utf-8 -translation lf -buffering line

# The bytes that Latin-1 shows keep their code point; the others take those from 256 on, in order.
set remapped 0
for {set byte 0} {$byte < 256} {incr byte} {
    set kept [expr {($byte > 0x20 && $byte < 0x7f) || ($byte > 0xa0 && $byte != 0xad)}]
    set code [expr {$kept ? $byte : 256 + $remapped}]
    incr remapped [expr {!$kept}]
    set toChar([format %02x $byte]) [format \\u%04x $code]
    set toByte($code) [format %02x $byte]
}

proc failure {type message} {
    return "\"error\":{\"type\":\"$type\",\"bases\":\[\"$type\"\],\"message\":\"$message\"}"
}

proc encode_bytes {argument} {
    global toChar
    if {![regexp {^\{"(?:bytes|bytearray)":"([0-9a-f]*)"\}$} $argument -> hex]} {
        return [failure TypeError "encode_bytes takes bytes"]
    }
    set text ""
    foreach pair [regexp -all -inline {..} $hex] { append text $toChar($pair) }
    return "\"ok\":\"$text\""
}

proc decode_chars {argument} {
    global toByte
    if {[string match {\{"text":*} $argument]} { return [failure ValueError "no byte has a lone surrogate"] }
    if {![regexp {^"(.*)"$} $argument -> written]} { return [failure TypeError "decode_chars takes text"] }
    set hex ""
    foreach char [split [subst -nocommands -novariables $written] ""] {
        scan $char %c code
        if {![info exists toByte($code)]} { return [failure ValueError "no byte has the code point $code"] }
        append hex $toByte($code)
    }
    return "\"ok\":{\"bytes\":\"$hex\"}"
}

proc answer {call} {
    if {[regexp {"call":"(encode_bytes|decode_chars)","args":\[(.*)\]} $call -> name argument]} {
        return [$name $argument]
    }
    return [failure NotImplementedError "no such function"]
}

while {[gets stdin line] >= 0} {
    regexp {"id":(\d+)} $line -> id
    if {[string match {*"hello":*} $line]} {
        puts "{\"id\":$id,\"ok\":{\"protocol\":1,\"offers\":\[\"encode_bytes\",\"decode_chars\"\]}}"
    } elseif {[string match {*"bye":true*} $line]} {
        puts "{\"id\":$id,\"ok\":null}"
        break
    } else {
        puts "{\"id\":$id,[answer $line]}"
    }
}
