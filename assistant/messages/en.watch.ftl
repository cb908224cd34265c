# `kibitz watch` in English: what goes on, hints, what is said about the game that is followed.

## What goes on

watch-starting = Opening the camera…
watch-waiting = Watching the table…
watch-moving = Something moves over the table, waiting…
watch-hand = An arm rests over the table, waiting…
watch-reading = Reading the cards…
watch-thinking = Thinking…
watch-ready = A hint is ready: H.
watch-still = The table is read.
watch-held = No hints until table and game agree.
watch-nudged = The camera or the table was moved; that is taken into account.
watch-keys = Space read now · H hint · R repeat · 1–4 answer · T take as it is · U undo · A hints always · W warn · B table · S voice · , . slower, faster · − + volume · L large · F full screen · ? help · Q quit
watch-keys-short = H hint · R repeat · S voice · L large · ? help · Q quit
watch-help = Say or type: hint, repeat, look, table, take, undo, always, warn, voice, slower, faster, louder, quieter, quit. Correct a card: T3.5=7H is the fifth card of the third column. Answer a question by its number or by the card, 7H.
watch-no-camera = The camera { $source } does not open. Plug it in, or name another: --camera 1, an address or a file.
watch-lost-camera = The picture from { $source } was lost. I keep trying.
watch-back-camera = The picture from { $source } is back.
watch-skipped = The picture { $source } cannot be read; it is left out.
watch-end-of-file = The recording has ended.
watch-no-screen = There is no screen for a window here, so the advice is written to this terminal.
watch-screen-gone = The window is gone. I go on with voice and text.
watch-screen-back = The window is back.
watch-voice-failed = The voice fails: { $why }
watch-voice-on = The voice is on.
watch-voice-off = The voice is off.
watch-speed = Speed { $percent } %.
watch-volume = Volume { $percent } %.
watch-always-on = A hint for every position.
watch-always-off = Hints only when asked for.
watch-warn-on = I warn of moves that lose.
watch-warn-off = I do not warn of moves that lose.
watch-not-known = I do not know the word { $text }. Type help.
watch-nothing-yet = The table has not been read yet.
watch-nothing-said = Nothing has been said yet.
watch-no-question = There is no question to answer.
watch-failed = Something went wrong: { $why }
watch-no-cameras = The system lists no cameras.
watch-voices = Voices: { $names }

## Before the game

setup-good = The picture is good. I can see the whole table.
setup-glare = Light is mirrored on { $count ->
    [one] one card
   *[other] { $count } cards
}. Move the lamp or tilt the camera.
setup-cut-off = { $count ->
    [one] One card is cut off
   *[other] { $count } cards are cut off
} at the { $side ->
    [left] left
    [right] right
    [top] upper
   *[bottom] lower
} edge of the picture. Move the camera or step back.

## Hints

hint-there = There is a move.
hint-card = Look at the { CARD($card) }.
hint-cards = Look at { $cards }.
hint-pile = Look at { $kind ->
    [stock] the stock
    [waste] the waste
    [foundations] the foundations
    [reserve] the reserve
    [bases] base pile { $n }
    [auxiliary] the nineteenth fan
    [aside] the cards set aside
    [fan] fan { $n }
    [place] place { $n }
   *[column] column { $n }
}.
hint-deal = Look at what is left to deal.
hint-lost = But this game cannot come out any more.
hint-thinking = One moment, I am still thinking.
hint-held = I cannot advise: the table and my picture of it differ.
warn-loses = This move loses. Take it back.
warn-lost = Now the game cannot come out any more. Before the last move it could.

## Following

follow-started = I see the whole table: { $game }.
follow-undone = Taken back.
follow-moved = { $count ->
    [one] One move
   *[other] { $count } moves
} seen.
illegal-onto = Against the rules: the { CARD($card) } may not go onto the { CARD($onto) }.
illegal-up = Against the rules: the { CARD($card) } may not go onto a foundation now.
illegal-place = Against the rules: the { CARD($card) } may not go into that place.
follow-illegal-plain = This move is against the rules.
follow-put-back = Put the { CARD($card) } back { $kind ->
    [stock] on the stock
    [waste] on the waste
    [foundations] on its foundation
    [reserve] on the reserve
    [bases] on base pile { $n }
    [auxiliary] in the nineteenth fan
    [aside] among the cards set aside
    [fan] on fan { $n }
    [place] on place { $n }
   *[column] on column { $n }
}.
follow-out-of-step = The table is not as I expected it.
follow-take = Put it right, or press T to take the table as it is.
follow-differs = { $where } I see { $seen } and expected { $expected }.
follow-differs-empty = { $where } I see nothing and expected { $expected }.
follow-differs-none = nothing
follow-differs-down = a face-down card
    .acc = a face-down card
follow-taken = I take the table as it is.
follow-undo-done = The last move is forgotten.
follow-corrected = { $where } lies the { CARD($card) }.
follow-won = The patience has come out. Congratulations!
table-pile = { $pile }: { $cards }.
table-empty = empty
table-hidden = { $count ->
    [one] one face-down card
   *[other] { $count } face-down cards
}
table-top = { $card } on top of { $count ->
    [one] one card
   *[other] { $count } cards
}

## Commands by word

watch-words-look = look read space
watch-words-hint = h hint help-me
watch-words-repeat = r repeat again
watch-words-slower = slower ,
watch-words-faster = faster .
watch-words-quieter = quieter -
watch-words-louder = louder + =
watch-words-voice = s voice speak
watch-words-undo = u undo
watch-words-take = t take as-is
watch-words-always = a always
watch-words-warn = w warn
watch-words-table = b table board
watch-words-large = l large
watch-words-full = f full
watch-words-help = ? help /
watch-words-quit = q quit exit

## Moves that were seen, for whoever plays without a window

seen-onto = Seen: the { CARD($card) } onto the { CARD($onto) }.
seen-up = Seen: the { CARD($card) } onto its foundation.
seen-place = Seen: the { CARD($card) } into an empty place.
seen-drawn = The waste shows the { CARD($card) }.
seen-bared = Now in sight: { $cards }.
