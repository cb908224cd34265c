# `kibitz watch` по-русски: что происходит, подсказки, что говорится об игре, за которой следим.

## Что происходит

watch-starting = Открываю камеру…
watch-waiting = Смотрю на стол…
watch-moving = Над столом что-то движется, жду…
watch-hand = Над столом рука, жду…
watch-reading = Читаю карты…
watch-thinking = Думаю…
watch-ready = Подсказка готова: H.
watch-still = Стол прочитан.
watch-held = Подсказок нет, пока стол и игра расходятся.
watch-nudged = Камеру или стол сдвинули; это учтено.
watch-keys = Пробел прочитать · H подсказка · R повторить · 1–4 ответ · T принять как есть · U отменить · A подсказки всегда · W предупреждать · B стол · S голос · , . медленнее, быстрее · − + громкость · L крупно · F весь экран · ? помощь · Q выход
watch-keys-short = H подсказка · R повторить · S голос · L крупно · ? помощь · Q выход
watch-help = Скажите или наберите: подсказка, повтори, читай, стол, принять, отмена, всегда, предупреждай, голос, медленнее, быстрее, громче, тише, выход. Исправить карту: T3.5=7H — пятая карта третьего столбца, семёрка червей. На вопрос отвечайте номером или картой: 7H.
watch-no-camera = Камера { $source } не открывается. Подключите её или назовите другую: --camera 1, адрес или файл.
watch-lost-camera = Картинка с { $source } прервалась. Пробую снова.
watch-back-camera = Картинка с { $source } вернулась.
watch-skipped = Картинка { $source } не читается; пропускаю её.
watch-end-of-file = Запись кончилась.
watch-no-screen = Здесь нет экрана для окна, поэтому советы пишутся сюда.
watch-screen-gone = Окно пропало. Продолжаю голосом и текстом.
watch-screen-back = Окно вернулось.
watch-voice-failed = Голос не работает: { $why }
watch-voice-on = Голос включён.
watch-voice-off = Голос выключен.
watch-speed = Скорость { $percent } %.
watch-volume = Громкость { $percent } %.
watch-always-on = Подсказка для каждой позиции.
watch-always-off = Подсказки только по просьбе.
watch-warn-on = Предупреждаю о проигрывающих ходах.
watch-warn-off = Не предупреждаю о проигрывающих ходах.
watch-not-known = Не знаю слова { $text }. Наберите «помощь».
watch-nothing-yet = Стол ещё не прочитан.
watch-nothing-said = Ещё ничего не сказано.
watch-no-question = Сейчас нет вопроса.
watch-failed = Что-то не получилось: { $why }
watch-no-cameras = Система не называет ни одной камеры.
watch-voices = Голоса: { $names }

## Перед игрой

setup-good = Картинка хорошая. Весь стол виден.
setup-glare = { $count ->
    [one] На { $count } карте блик
    [few] На { $count } картах блики
   *[many] На { $count } картах блики
}. Передвиньте лампу или наклоните камеру.
setup-cut-off = { $side ->
    [left] Слева
    [right] Справа
    [top] Сверху
   *[bottom] Снизу
} { $count ->
    [one] обрезана { $count } карта
    [few] обрезаны { $count } карты
   *[many] обрезано { $count } карт
}. Передвиньте камеру или отведите её подальше.

## Подсказки

hint-there = Ход есть.
hint-card = Посмотрите на { CARD($card, case: "acc") }.
hint-cards = Посмотрите на { $cards }.
hint-pile = Посмотрите на { $kind ->
    [stock] колоду
    [waste] открытую стопку
    [foundations] базовые стопки
    [reserve] резерв
    [bases] { ORDINAL($n, case: "femacc") } стопку
    [auxiliary] девятнадцатый веер
    [aside] отложенные карты
    [fan] { ORDINAL($n) } веер
    [place] место { $n }
   *[column] { ORDINAL($n) } столбец
}.
hint-deal = Посмотрите, что осталось сдать.
hint-lost = Но пасьянс уже не сойдётся.
hint-thinking = Минутку, я ещё думаю.
hint-held = Не могу советовать: стол не такой, каким я его себе представляю.
warn-loses = Этот ход проигрывает. Верните его.
warn-lost = Теперь пасьянс уже не сойдётся. До последнего хода он ещё мог сойтись.

## Игра

follow-started = Вижу весь стол: { $game }.
follow-undone = Ход взят назад.
follow-moved = { $count ->
    [one] Вижу { $count } ход.
    [few] Вижу { $count } хода.
   *[many] Вижу { $count } ходов.
}
illegal-onto = Так ходить нельзя: { CARD($card, case: "acc") } не кладут на { CARD($onto, case: "acc") }.
illegal-up = Так ходить нельзя: { CARD($card) } ещё не идёт в базовую стопку.
illegal-place = Так ходить нельзя: { CARD($card, case: "acc") } на это место не кладут.
follow-illegal-plain = Так ходить нельзя.
follow-put-back = Верните { CARD($card, case: "acc") } { $kind ->
    [stock] в колоду
    [waste] в открытую стопку
    [foundations] в базовую стопку
    [reserve] в резерв
    [bases] в { ORDINAL($n, case: "femacc") } стопку
    [auxiliary] в девятнадцатый веер
    [aside] к отложенным картам
    [fan] { $n ->
        [2] во второй веер
       *[other] в { ORDINAL($n) } веер
    }
    [place] на место { $n }
   *[column] { $n ->
        [2] во второй столбец
       *[other] в { ORDINAL($n) } столбец
    }
}.
follow-out-of-step = Стол не такой, как я ожидал.
follow-take = Поправьте его или нажмите T, чтобы принять стол как есть.
follow-differs = { $where } вижу { $seen }, а должно быть: { $expected }.
follow-differs-empty = { $where } вижу: пусто, а должно быть: { $expected }.
follow-differs-none = пусто
follow-differs-down = закрытая карта
    .acc = закрытую карту
follow-taken = Принимаю стол как есть.
follow-undo-done = Последний ход забыт.
follow-corrected = { $where } лежит { CARD($card) }.
follow-won = Пасьянс сошёлся. Поздравляю!
table-pile = { $pile }: { $cards }.
table-empty = пусто
table-hidden = { $count ->
    [one] { $count } закрытая
    [few] { $count } закрытые
   *[many] { $count } закрытых
}
table-top = сверху { $card }, всего { $count ->
    [one] { $count } карта
    [few] { $count } карты
   *[many] { $count } карт
}

## Команды словами

watch-words-look = читай смотри пробел look
watch-words-hint = h подсказка подскажи hint
watch-words-repeat = r повтори повторить repeat
watch-words-slower = медленнее slower ,
watch-words-faster = быстрее faster .
watch-words-quieter = тише quieter -
watch-words-louder = громче louder + =
watch-words-voice = s голос voice
watch-words-undo = u отмена отменить undo
watch-words-take = t принять прими take
watch-words-always = a всегда always
watch-words-warn = w предупреждай warn
watch-words-table = b стол table
watch-words-large = l крупно large
watch-words-full = f экран full
watch-words-help = ? помощь help /
watch-words-quit = q выход quit

## Ходы, которые замечены, — для тех, кто играет без окна

seen-onto = Вижу: { CARD($card) } на { CARD($onto, case: "acc") }.
seen-up = Вижу: { CARD($card) } в базовую стопку.
seen-place = Вижу: { CARD($card) } на пустое место.
seen-drawn = В открытой стопке сверху { CARD($card) }.
seen-bared = Теперь видно: { $cards }.
