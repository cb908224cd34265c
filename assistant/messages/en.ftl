# Kibitz's sentences in English. $pile: column, fan or place. $n: number from one.

## Where cards are

pile = { $kind ->
    [stock] the stock
    [waste] the waste
    [foundations] the foundation
    [reserve] the reserve
    [bases] base pile { $n }
    [auxiliary] the nineteenth fan
    [aside] the cards set aside
    [fan] fan { $n }
    [place] place { $n }
   *[column] column { $n }
}
    .gen = { $kind ->
        [stock] of the stock
        [waste] of the waste
        [foundations] of the foundation
        [reserve] of the reserve
        [bases] of base pile { $n }
        [auxiliary] of the nineteenth fan
        [aside] of the cards set aside
        [fan] of fan { $n }
        [place] of place { $n }
       *[column] of column { $n }
    }
    .in = { $kind ->
        [stock] in the stock
        [waste] on the waste
        [foundations] on the foundation
        [reserve] in the reserve
        [bases] on base pile { $n }
        [auxiliary] in the nineteenth fan
        [aside] among the cards set aside
        [fan] in fan { $n }
        [place] on place { $n }
       *[column] in column { $n }
    }

## Moves

move-from = { $source ->
    [waste] from the waste
    [reserve] from the reserve
    [foundations] from its foundation
    [auxiliary] from the nineteenth fan
   *[tableau] { "" }
}
move-card-onto = { $source ->
    [foundations] Take the { CARD($card) } back from its foundation onto the { CARD($onto) }.
   *[other] Move the { CARD($card) } { move-from } onto the { CARD($onto) }.
}
move-cards-onto = Move the cards from the { CARD($card) } to the { CARD($last) } onto the { CARD($onto) }.
move-card-empty = Move the { CARD($card) } { move-from } to { empty-place }.
move-cards-empty = Move the cards from the { CARD($card) } to the { CARD($last) } to { empty-place }.
empty-place = { $pile ->
    [fan] the place of fan { $n }
    [place] the empty place { $n }
   *[column] the empty column { $n }
}
move-ace-up = Put the { CARD($card) } { move-from } up as a foundation.
move-card-up = Put the { CARD($card) } { move-from } on its foundation.
move-cards-up = Put the cards from the { CARD($card) } to the { CARD($last) } { move-from } on their foundation.
move-base-start = Put the { CARD($card) } { move-from } down as the base of pile { $n }.
move-base-play = Put the { CARD($card) } { move-from } on pile { $n }: { $over ->
    [0] { $top } + { $n } = { $sum }
   *[other] { $top } + { $n } = { $raw }, less 13 = { $sum }
}: { $rank }.
move-to-waste = Put the { CARD($card) } on the waste.
move-draw = Turn { $count ->
    [1] one card
    [2] two cards
    [3] three cards
   *[other] { $count } cards
} from the stock.
move-draw-auxiliary = Turn { $count ->
    [1] one card
    [2] two cards
   *[other] three cards
} from the stock: the nineteenth fan.
move-turnover = Turn the waste over: it becomes the stock again.
move-redeal = { $game ->
    [walter] Gather the cards of the fans, shuffle them and deal them again in fans of four.
   *[other] Gather the cards of the fans and those set aside, shuffle them and deal them again in fans of three.
}
move-flip = { $pile ->
    [fan] Turn up the card of fan { $n }.
    [place] Turn up the card on place { $n }.
    [stock] Turn up the top card of the stock.
    [reserve] Turn up the top card of the reserve.
   *[column] Turn up the face-down card in column { $n }.
}
move-deal = Deal { $count ->
    [1] one card
    [2] two cards
   *[other] three cards
} from the stock to { $pile ->
    [fan] the place of fan { $n }
    [place] place { $n }
   *[column] column { $n }
}.
move-cover = Cover { $cards } with { $count ->
    [1] a new card
    [2] two new cards
    [3] three new cards
   *[other] new cards
}.
move-cover-sum = Cover { $cards } with { $count ->
    [0] cards
    [1] the last card
   *[other] two new cards
}: { $a } + { $b } = 11.
a-card = the { CARD($card) }
the-card = the { CARD($card) }
move-remove = Take the finished run from the { CARD($card) } to the { CARD($last) } off the table.
move-remove-plain = Take the finished run { pile.gen } off the table.
move-aside = Set the cards of the nineteenth fan aside, face down.

## Why

reason-due = The rules ask for it.
reason-wins = This wins for certain.
reason-reveals-card = { $source ->
    [tableau] It bares a face-down card in { $from }.
   *[other] It shows a card that nobody has seen.
}
reason-leads-to-reveal = After that a face-down card can be turned up.
reason-ace-up = Aces go up first.
reason-to-foundation = That is where it must go in the end.
reason-leads-to-foundation = After that a card can go up.
reason-frees-ace = It frees an ace.
reason-frees-needed = It frees a card that a foundation waits for.
reason-empties-column = It makes a place free.
reason-king-to-place = The king gets a place of its own.
reason-keeps-place = It keeps the free place free.
reason-from-reserve = The reserve becomes smaller.
reason-from-stock = A card of the stock finds a place.
reason-builds-run = The cards come into order.
reason-completes-run = It completes a run.
reason-avoids-dead-end = All other moves lead into a dead end.
reason-looks-at-stock = There is nothing better on the table yet.
reason-redeals = There is nothing left to do in this deal.
reason-any-move = All moves are equally good here.
reason-sets-aside = The three cards cannot all be used.
reason-nothing-left = There is nothing left to do.

## How it ended

verdict-won = The patience has come out!
verdict-lost = No move is left: the patience has not come out.
verdict-no-win-found = No way to win is in sight.
verdict-cycling = Only moves in a circle are left: the patience has not come out.
verdict-open = The game goes on.
win-chance = It comes out with a chance of about { $percent } %.
win-chance-error = It comes out with a chance of { $percent } % (± { $error } %).
no-advice = No advice: the table must be made clear first.

## What is wrong on the table

problem-duplicate = The { CARD($card) } is there too often: { $got } times.
problem-too-many-cards = There are { $got } cards on the table, but only { $expected } in the pack.
problem-too-few-cards = { $count ->
    [0] Only { $got } of { $expected } cards are on the table.
    [alone] The { CARD($card) } is missing.
    [all] These cards are missing: { $cards }.
   *[some] { $lacking ->
        [one] One of these cards is missing
       *[other] { $lacking } of these cards are missing
    }: { $cards }.
}
problem-impossible-run = { $where } the { CARD($card) } and the { CARD($last) } cannot lie together.
problem-impossible-run-plain = { $where } the cards lie in an impossible order.
problem-foundation-gap = { $where } a card is missing in between.
problem-bad-count = { $expected ->
    [0] { $where } there cannot be { $got } cards.
   *[other] { $where } there are { $got } cards, and there can be { $expected } at most.
}
problem-must-be-empty = { $where } there must be no cards.
problem-face-down = { $where } a card lies face down that must lie face up.
problem-face-up = { $where } a card lies face up that must lie face down.
problem-hidden-above-open = { $where } a face-down card lies on a face-up one.
problem-wrong-base = { $where } the first card cannot be the { CARD($card) }.
problem-wrong-base-plain = { $where } the first card is a wrong one.
problem-stray = { $count ->
    [one] { $count } card lies
   *[other] { $count } cards lie
} beside the places of this patience: { $cards }.
problem-other-game = The table does not look like { $game }. Is it the right patience, and is the whole table in view?
problem-nothing-found = No card can be seen in the picture. Point the camera at the table and give it more light.
problem-too-far = The cards are too small: an index is { $has } pixels high and needs at least { $needs }. Move the camera closer.
problem-blurred = The picture is too blurred. Fix the camera and focus it.
problem-too-dark = It is too dark. Give it more light.
problem-same-card-twice = { $has ->
    [2] The { CARD($card) } is on the table twice.
    [3] The { CARD($card) } is on the table a third time.
   *[other] The { CARD($card) } is on the table too often.
}
problem-more-than-a-pack = There are more cards in the picture than in the pack: { $got }.
problem-unknown = Something is wrong: { $kind }.

## Questions

question-which-card = { $where } a card could not be read. Is it { $choices }?
question-which-card-open = { $where } a card could not be read. Which one is it?
question-how-many-hidden = How many face-down cards are there { $where }?
question-which-side = At which edge of the picture do you sit: the near one (at the bottom) or the far one? Answer with side=near or side=far.
question-which-place = Where does the { CARD($card) } lie?
question-unseen = { $where } a card has not been seen yet. Which one is it?
list-and = { $head } and { $last }
list-or = { $head } or { $last }
somewhere = On the table

## Commands

reading-nothing = { $image }: no cards.
reading-summary = { $image }: { $open ->
    [one] { $open } card face up
   *[other] { $open } cards face up
}, { $down } face down, { $unsure ->
    [0] all read for sure
   *[other] { $unsure } unsure
}.
picture-written = Marked picture: { $path }
sound-written = Sound: { $path }
pending-title = To be done first
moves-title = Legal moves
problems-title = What is wrong
questions-title = Questions
line-title = Then
unsure-mark = unsure

## The patiences

game-klondike = Klondike
game-klondike-common = Klondike, the common rules
game-canfield = Canfield
game-canfield-common = Canfield, the common rules
game-mrs-mop = Mrs Mop
game-walter = Walter
game-walter-scott = Walter Scott
game-nineteenth-fan = The Nineteenth Fan
game-eleven-points = Eleven Points
game-eleven-10 = Eleven Points, ten places
game-elevens = Elevens: jack, queen, king

## Play in the terminal

play-help = A move: its number or its notation (T3-T5). h hint, u undo, r redo, m all moves, t table, s save, q quit.
play-words-table = t table
play-words-hint = h hint
play-words-undo = u undo
play-words-redo = r redo
play-words-moves = m moves
play-words-save = s save
play-words-help = ? help
play-words-quit = q quit exit
play-prompt = Your move
play-bad-move = There is no such move: { $text }. Type m to see all moves.
play-nothing-to-undo = There is nothing to undo.
play-nothing-to-redo = There is nothing to redo.
play-saved = The game is saved: { $path }
play-resumed = Going on with the saved game.
play-not-saved = There is no saved game; this is a new one.
play-lost = Take moves back with u, or stop with q.
play-score-foundations = Cards on the foundations: { $score } of { $all }.
play-score-bases = Cards in the base piles: { $score } of { $all }.
play-score-runs = Cards taken off: { $score } of { $all }.
play-score-dealt = Cards dealt: { $score } of { $all }.
play-seed = Deal no. { $seed }.

## Options of the rules

rules-options = Options: --option NAME=VALUE
option-default = { $value } (here)
option-range = a number from { $least } to { $most }
option-draw = How many cards are turned from the stock at once.
option-turnovers = How often the waste may be turned over; null is always.
option-move_part = Whether a part of a sequence may be moved.
option-foundation_back = Whether a card may come back from a foundation.
option-kings_only = Whether spaces take only kings, even when all kings have their places.
option-space_end_card = Whether, once all kings have their places, the last card of a column alone may go into a space.
option-auto_aces = Whether every free ace goes up at once.
option-canfield-fill = Whether an empty column is filled from the reserve at once (auto) or when you like (manual).
option-after_reserve = What an empty column takes when the reserve is gone: the waste's top card, or any card.
option-past_base = Whether a column goes on downwards on a card of the base rank.
option-reserve_known = Whether you know the covered cards of the reserve.
option-auto_base = Whether cards of the base rank go up at once from columns and reserve.
option-places = How many cards are laid out.
option-courts = What is done with jacks, queens and kings: each covered at once (cover); jack, queen and king together (trio); any three (any3); any two (pair_any); two equal ones (pair_equal); the king alone, queen and jack together (king_alone).
option-eleven-points-fill = Whether new cards are laid on the old ones (cover) or replace them (discard).
option-fan_build = Which suits may lie on each other in a fan: any, the same (suit), or red and black in turn (alternate).
option-auto_foundation = Whether every card that can go up goes up at once.
option-aux_order = Whether only the right card of the nineteenth fan may be played (right) or each of them (any).
option-aux_between = What may be moved while the nineteenth fan is played: to the foundations only, nothing (none), or anything (any).
option-draw_when = Whether one may draw at any time, or only when the fans offer nothing (stuck).
option-memory = Whether set-aside cards are remembered.
option-redeals = How often the rest is shuffled and dealt again.
option-empty_place = What an empty place takes when the stock is gone: nothing (none), a king, or any card.
option-attempts = How many deals there are in all.
option-redeal_when = Whether one may deal again only when nothing can be placed (stuck), or at will (any).
option-display = Whether every card of a fan is seen (fan) or only its top (stack).
option-waste_rebare = Whether a waste card bared again may be played.
option-stock_face_up = Whether the next stock card is seen and may be played.

## Errors

error-title = Error
