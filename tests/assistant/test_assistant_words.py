"""Golden names of every card in every case, and golden sentences of every kind of move, in both languages."""

import re
from importlib import resources

import pytest

from kibitz.assistant.describe import join, move_text, pile_text, problem_text, reason_text, verdict_text
from kibitz.assistant.words import LANGUAGES, Words, WordsError, words
from kibitz.engine import LABELS, Card, Move, PileId, PileKind, Position, Problem, ProblemKind, get_rules
from kibitz.engine.cards import parse_pile
from kibitz.engine.moves import MoveKind
from kibitz.engine.registry import game_classes
from kibitz.engine.search import Reason, Verdict

CASES = ("nom", "gen", "dat", "acc", "ins", "pre")
RUSSIAN_RANKS = {
    "A": "туз туза тузу туза тузом тузе",
    "2": "двойка двойки двойке двойку двойкой двойке",
    "3": "тройка тройки тройке тройку тройкой тройке",
    "4": "четвёрка четвёрки четвёрке четвёрку четвёркой четвёрке",
    "5": "пятёрка пятёрки пятёрке пятёрку пятёркой пятёрке",
    "6": "шестёрка шестёрки шестёрке шестёрку шестёркой шестёрке",
    "7": "семёрка семёрки семёрке семёрку семёркой семёрке",
    "8": "восьмёрка восьмёрки восьмёрке восьмёрку восьмёркой восьмёрке",
    "9": "девятка девятки девятке девятку девяткой девятке",
    "T": "десятка десятки десятке десятку десяткой десятке",
    "J": "валет валета валету валета валетом валете",
    "Q": "дама дамы даме даму дамой даме",
    "K": "король короля королю короля королём короле",
}
RUSSIAN_SUITS = {"C": "треф", "D": "бубён", "H": "червей", "S": "пик"}
ENGLISH_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
ENGLISH_RANKS = dict(zip("A23456789TJQK", ENGLISH_NAMES, strict=True))
ENGLISH_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@pytest.mark.parametrize("label", LABELS)
def test_every_card_in_every_case(label: str) -> None:
    rank, suit = label
    russian = [f"{form} {RUSSIAN_SUITS[suit]}" for form in RUSSIAN_RANKS[rank].split()]
    assert [words("ru").card(label, case) for case in CASES] == russian
    english = f"{ENGLISH_RANKS[rank]} of {ENGLISH_SUITS[suit]}"
    assert [words("en").card(label, case) for case in CASES] == [english] * 6


def test_signs_are_what_is_printed_on_the_cards() -> None:
    assert [words("ru").sign(label) for label in ("AS", "TD", "JH", "QC", "KS", None)] == [
        "Т♠",
        "10♦",
        "В♥",
        "Д♣",
        "К♠",
        "?",
    ]
    assert [words("en").sign(label) for label in ("AS", "TD", "JH", "QC", "KS", "##")] == [
        "A♠",
        "10♦",
        "J♥",
        "Q♣",
        "K♠",
        "?",
    ]


@pytest.mark.parametrize("label", LABELS)
def test_every_card_moves_onto_every_rank_above(label: str) -> None:
    """The accusative is what the main sentence needs, on both sides of the preposition."""
    rank, suit = "A23456789TJQK".index(label[0]), label[1]
    onto = Card(min(rank + 2, 13), 3 if suit in "DH" else 2)
    position = get_rules("klondike").build(
        {PileId.parse("T1"): parse_pile(label), PileId.parse("T2"): parse_pile(str(onto))}
    )
    move = Move(MoveKind.MOVE, PileId.parse("T1"), PileId.parse("T2"), 1, (), cards=(Card.parse(label),), onto=onto)
    first = RUSSIAN_RANKS[label[0]].split()[3] + " " + RUSSIAN_SUITS[suit]
    second = RUSSIAN_RANKS[str(onto)[0]].split()[3] + " " + RUSSIAN_SUITS[str(onto)[1]]
    assert move_text(words("ru"), position, move) == f"Переложите {first} на {second}."


GOLDEN = [
    (
        "klondike; tableau: 7H/8S/-/-/-/-/-",
        "T1-T2",
        "Move the seven of hearts onto the eight of spades.",
        "Переложите семёрку червей на восьмёрку пик.",
    ),
    (
        "klondike; tableau: ##7H6S5D/8S/-/-/-/-/-",
        "T1-T2*3",
        "Move the cards from the seven of hearts to the five of diamonds onto the eight of spades.",
        "Переложите карты от семёрки червей до пятёрки бубён на восьмёрку пик.",
    ),
    (
        "klondike; waste: QD; tableau: KS/-/-/-/-/-/-",
        "W-T1",
        "Move the queen of diamonds from the waste onto the king of spades.",
        "Положите даму бубён из открытой стопки на короля пик.",
    ),
    (
        "klondike; waste: KC; tableau: -/-/-/-/-/-/-",
        "W-T2",
        "Move the king of clubs from the waste to the empty column 2.",
        "Положите короля треф из открытой стопки в пустой второй столбец.",
    ),
    (
        "klondike; tableau: ##KCQH/-/-/-/-/-/-",
        "T1-T3*2",
        "Move the cards from the king of clubs to the queen of hearts to the empty column 3.",
        "Переложите карты от короля треф до дамы червей в пустой третий столбец.",
    ),
    (
        "klondike; tableau: AH/-/-/-/-/-/-; foundations: -/-/-/-",
        "T1-F1",
        "Put the ace of hearts up as a foundation.",
        "Положите туза червей в базовый ряд.",
    ),
    (
        "klondike; tableau: 2H/-/-/-/-/-/-; foundations: AH/-/-/-",
        "T1-F1",
        "Put the two of hearts on its foundation.",
        "Положите двойку червей в базовую стопку.",
    ),
    (
        "klondike; stock: ######; tableau: -/-/-/-/-/-/-",
        "draw S-W*3",
        "Turn three cards from the stock.",
        "Откройте три карты из колоды.",
    ),
    (
        "klondike; waste: 5C; tableau: -/-/-/-/-/-/-",
        "turnover W-S",
        "Turn the waste over: it becomes the stock again.",
        "Переверните открытую стопку: она снова станет колодой.",
    ),
    (
        "klondike; tableau: -/####/-/-/-/-/-",
        "flip T2",
        "Turn up the face-down card in column 2.",
        "Откройте закрытую карту второго столбца.",
    ),
    (
        "klondike-common; foundations: AC2C/-/-/-; tableau: 3D/-/-/-/-/-/-",
        "F1-T1",
        "Take the two of clubs back from its foundation onto the three of diamonds.",
        "Верните двойку треф из базовой стопки на тройку бубён.",
    ),
    (
        "canfield; reserve: JS; tableau: QH/-/-/-",
        "R-T1",
        "Move the jack of spades from the reserve onto the queen of hearts.",
        "Положите валета пик из резерва на даму червей.",
    ),
    (
        "walter; bases: -/-/-/4H8S; tableau: QD/-/-/-/-/-/-/-/-/-/-/-/-",
        "T1-B4",
        "Put the queen of diamonds on pile 4: 8 + 4 = 12: a queen.",
        "Положите даму бубён на четвёртую стопку: 8 + 4 = 12: дама.",
    ),
    (
        "walter; bases: -/-/3HTS/-; tableau: KD/-/-/-/-/-/-/-/-/-/-/-/-",
        "T1-B3",
        "Put the king of diamonds on pile 3: 10 + 3 = 13: a king.",
        "Положите короля бубён на третью стопку: 10 + 3 = 13: король.",
    ),
    (
        "walter; bases: -/-/-/TH; tableau: AD/-/-/-/-/-/-/-/-/-/-/-/-",
        "T1-B4",
        "Put the ace of diamonds on pile 4: 10 + 4 = 14, less 13 = 1: an ace.",
        "Положите туза бубён на четвёртую стопку: 10 + 4 = 14, минус 13 = 1: туз.",
    ),
    (
        "walter; bases: -/-/-/-; tableau: 2D/-/-/-/-/-/-/-/-/-/-/-/-",
        "T1-B2",
        "Put the two of diamonds down as the base of pile 2.",
        "Положите двойку бубён основанием второй стопки.",
    ),
    (
        "walter; tableau: 8D/8C/-/-/-/-/-/-/-/-/-/-/-",
        "redeal",
        "Gather the cards of the fans, shuffle them and deal them again in fans of four.",
        "Соберите карты вееров, перетасуйте и разложите снова веерами по четыре.",
    ),
    (
        "nineteenth-fan; auxiliary: 5H6S7C; tableau: 8H",
        "aside X-A1*3",
        "Set the cards of the nineteenth fan aside, face down.",
        "Отложите карты девятнадцатого веера в сторону рубашкой вверх.",
    ),
    (
        "nineteenth-fan; stock: ######; tableau: 8H",
        "draw S-X*3",
        "Turn three cards from the stock: the nineteenth fan.",
        "Откройте три карты из колоды: это девятнадцатый веер.",
    ),
    (
        "nineteenth-fan; auxiliary: 5H6S7C; tableau: 8H",
        "X-T1",
        "Move the seven of clubs from the nineteenth fan onto the eight of hearts.",
        "Положите семёрку треф из девятнадцатого веера на восьмёрку червей.",
    ),
    (
        "nineteenth-fan; stock: ######; tableau: 8H/-",
        "deal S-T2*3",
        "Deal three cards from the stock to the place of fan 2.",
        "Сдайте три карты из колоды на место второго веера.",
    ),
    (
        "nineteenth-fan; foundations: AH2H/-/-/-/-/-/-/-; tableau: KS5H4H3H",
        "T1-F1*3",
        "Put the cards from the five of hearts to the three of hearts on their foundation.",
        "Положите карты от пятёрки червей до тройки червей в базовую стопку.",
    ),
    (
        "mrs-mop; tableau: KSQSJSTS9S8S7S6S5S4S3S2SAS/-",
        "remove T1*13",
        "Take the finished run from the king of spades to the ace of spades off the table.",
        "Уберите со стола готовую последовательность от короля пик до туза пик.",
    ),
    (
        "eleven-points; stock: ####; tableau: 7H/4S",
        "cover S-T1+T2*2",
        "Cover the seven of hearts and the four of spades with two new cards: 7 + 4 = 11.",
        "Покройте двумя новыми картами семёрку червей и четвёрку пик: 7 + 4 = 11.",
    ),
    (
        "eleven-points; stock: ####; tableau: JH/4S",
        "cover S-T1",
        "Cover the jack of hearts with a new card.",
        "Покройте новой картой валета червей.",
    ),
]


@pytest.mark.parametrize(("position", "move", "english", "russian"), GOLDEN, ids=[row[2][:40] for row in GOLDEN])
def test_golden_sentences(position: str, move: str, english: str, russian: str) -> None:
    table, made = Position.parse(position), Move.parse(move)
    made = _with_cards(table, made)
    assert move_text(words("en"), table, made) == english
    assert move_text(words("ru"), table, made) == russian


def _with_cards(table: Position, move: Move) -> Move:
    """The move as the rules would give it: with its cards and the card that it lands on."""
    onto = None
    if move.kind is MoveKind.MOVE and move.target is not None and table.pile(move.target):
        onto = table.pile(move.target)[-1].card
    return Move(move.kind, move.source, move.target, move.count, move.others, onto=onto)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "name", ["klondike", "canfield", "mrs-mop", "walter", "walter-scott", "nineteenth-fan", "elevens"]
)
def test_every_move_of_a_game_can_be_said(name: str, language: str) -> None:
    """Thirty moves of real games: no message lacks a value, no sentence shows a seam."""
    from kibitz.engine.game import Game

    game = Game.deal(get_rules(name), 5)
    for step in range(30):
        moves = game.legal_moves()
        for move in moves:
            text = move_text(words(language), game.view, move)
            assert re.fullmatch(r"[A-ZА-Я][^{}$?]*\.", text), text
            assert "  " not in text
        if not moves:
            break
        game.play(moves[step % len(moves)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_verdict_and_problem_has_words(language: str) -> None:
    spoken = words(language)
    position = get_rules("klondike").deal(1)
    move = Move.parse("T2-T3")
    assert all(reason_text(spoken, position, move, reason.value) for reason in Reason)
    assert all(verdict_text(spoken, verdict.value) for verdict in Verdict)
    for kind in list(ProblemKind):
        problem = Problem(kind, (Card.parse("7H"), Card.parse("9S")), (PileId.of(PileKind.TABLEAU, 2),), 52, 53)
        text = problem_text(spoken, problem, "klondike")
        assert text[0].isupper()
        assert spoken.text("problem-unknown", kind=kind.code) != text, kind


def test_problems_in_both_languages() -> None:
    run = Problem(ProblemKind.IMPOSSIBLE_RUN, (Card.parse("7H"), Card.parse("9S")), (PileId.parse("T3"),))
    assert problem_text(words("en"), run, "klondike") == (
        "In column 3 the seven of hearts and the nine of spades cannot lie together."
    )
    assert problem_text(words("ru"), run, "klondike") == (
        "В третьем столбце семёрка червей и девятка пик не могут лежать рядом."
    )
    twice = Problem(ProblemKind.DUPLICATE, (Card.parse("QS"),), (), 1, 2)
    assert problem_text(words("ru"), twice, "klondike") == "Дама пик встречается слишком часто: 2 раза."


def test_reasons_name_the_column() -> None:
    position = get_rules("klondike").deal(1)
    assert reason_text(words("ru"), position, Move.parse("T2-T3"), "reveals-card") == (
        "Освободится закрытая карта второго столбца."
    )
    assert reason_text(words("en"), position, Move.parse("T2-T3"), "reveals-card") == (
        "It bares a face-down card in column 2."
    )


def test_places_in_russian_take_the_right_preposition() -> None:
    said = [pile_text(words("ru"), PileId.of(PileKind.TABLEAU, n), "klondike", "in") for n in (0, 1, 2)]
    assert said == ["в первом столбце", "во втором столбце", "в третьем столбце"]
    assert pile_text(words("ru"), PileId.of(PileKind.TABLEAU, 17), "nineteenth-fan", "gen") == "восемнадцатого веера"


def test_lists() -> None:
    assert join(words("ru"), ["а", "б", "в"], "or") == "а, б или в"
    assert join(words("en"), ["a"], "and") == "a"


def test_both_languages_have_the_same_messages() -> None:
    folder = resources.files("kibitz.assistant.messages")
    names: dict[str, dict[str, list[str]]] = {language: {} for language in LANGUAGES}
    for file in folder.iterdir():
        language, _, topic = file.name.removesuffix(".ftl").partition(".")
        if file.name.endswith(".ftl") and topic != "cards":
            names[language][topic] = re.findall(r"^([a-z][\w-]*) =", file.read_text(encoding="utf-8"), re.M)
    english, russian = (names[language] for language in LANGUAGES)
    assert {topic: sorted(found) for topic, found in english.items()} == {
        topic: sorted(found) for topic, found in russian.items()
    }
    every = [name for found in english.values() for name in found]
    assert sorted(every) == sorted(set(every))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_of_the_rules_has_words(language: str) -> None:
    said = words(language)
    for name, game in game_classes().items():
        for option in game.declared:
            messages = (f"option-{name}-{option.name}", f"option-{option.name}")
            assert any(map(said.has, messages)), f"{name} {option.name}"


def test_unknown_language_message_and_missing_value_are_told() -> None:
    with pytest.raises(WordsError, match="expected a language of en, ru, got 'de'"):
        Words("de")
    with pytest.raises(WordsError, match="no-such-message"):
        words("en").text("no-such-message")
    with pytest.raises(WordsError, match="seed"):
        words("en").text("play-seed")
