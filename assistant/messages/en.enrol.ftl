# Learning a deck.

enrol-done = Learned { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
} of the deck “{ $deck }” from { $prints ->
    [one] { $prints } corner
   *[other] { $prints } corners
}.
enrol-trial = { $right } of { $total } corners were told apart that had been set aside as a test.
enrol-known = Without learning, { $share } % of them would have been read rightly.
enrol-use = Use it with --deck { $deck }, or write deck = "{ $deck }" into the settings file.
enrol-exists = expected a new name, but there is a deck “{ $deck }” already; choose another name, or add --replace
enrol-no-such-deck = expected a learned deck “{ $deck }”, found none; learn it with kibitz enrol { $deck } PHOTO
enrol-damaged = the file of the deck “{ $deck }” is damaged or of another version; learn the deck again with kibitz enrol
enrol-not-written = the deck cannot be saved as { $path }; make room, or name another folder with KIBITZ_DATA
enrol-photos = expected one to four photos, got { $count }; choose the sharpest ones
enrol-no-card = expected a card such as TS, a run such as AC-KC, or X for a joker, got “{ $word }”; correct --cards
enrol-card-twice = expected every card once, but { $card } is named twice; correct --cards
enrol-too-few-cards = expected cards of at least two ranks and two suits, got { $count ->
    [one] { $count } card
   *[other] { $count } cards
}; lay out more of the deck
enrol-no-cards = no cards with signs in their corners were found on { $image }; lay them side by side on a plain cloth, face up
enrol-too-small = the corner signs on { $image } are { $has } pixels high, but { $needs } are needed; go nearer, or take more photos with fewer cards on each
enrol-sideways = the cards on { $image } lie sideways; turn the camera so that they stand upright
enrol-count = expected { $needs } cards, in all or on each photo, but found { $seen } (row by row); lay them side by side in rows without touching, all in the picture, or tell with --cards which ones they are
enrol-order = where { $told } should lie, { $read } is read; lay the cards as told, or tell their order with --cards
enrol-alike = only { $right } of { $total } corners could be told apart; go nearer, make more light, and check the order of the cards
