# Предложения Кибица по-русски. Карты ставятся в нужный падеж: CARD($card, case: "acc").
# $pile: column (столбец), fan (веер), place (место). $n: номер с единицы.

## Где лежат карты

pile = { $kind ->
    [stock] колода
    [waste] открытая стопка
    [foundations] базовая стопка
    [reserve] резерв
    [bases] { ORDINAL($n, case: "fem") } стопка
    [auxiliary] девятнадцатый веер
    [aside] отложенные карты
    [fan] { ORDINAL($n) } веер
    [place] место { $n }
   *[column] { ORDINAL($n) } столбец
}
    .gen = { $kind ->
        [stock] колоды
        [waste] открытой стопки
        [foundations] базовой стопки
        [reserve] резерва
        [bases] { ORDINAL($n, case: "femgen") } стопки
        [auxiliary] девятнадцатого веера
        [aside] отложенных карт
        [fan] { ORDINAL($n, case: "gen") } веера
        [place] места { $n }
       *[column] { ORDINAL($n, case: "gen") } столбца
    }
    .in = { $kind ->
        [stock] в колоде
        [waste] в открытой стопке
        [foundations] в базовой стопке
        [reserve] в резерве
        [bases] в { ORDINAL($n, case: "femgen") } стопке
        [auxiliary] в девятнадцатом веере
        [aside] среди отложенных карт
        [fan] { $n ->
            [2] во втором веере
           *[other] в { ORDINAL($n, case: "pre") } веере
        }
        [place] на месте { $n }
       *[column] { $n ->
            [2] во втором столбце
           *[other] в { ORDINAL($n, case: "pre") } столбце
        }
    }

## Ходы

move-from = { $source ->
    [waste] из открытой стопки
    [reserve] из резерва
    [foundations] из базовой стопки
    [auxiliary] из девятнадцатого веера
   *[tableau] { "" }
}
move-card-onto = { $source ->
    [tableau] Переложите { CARD($card, case: "acc") } на { CARD($onto, case: "acc") }.
    [foundations] Верните { CARD($card, case: "acc") } из базовой стопки на { CARD($onto, case: "acc") }.
   *[other] Положите { CARD($card, case: "acc") } { move-from } на { CARD($onto, case: "acc") }.
}
move-cards-onto = Переложите карты от { CARD($card, case: "gen") } до { CARD($last, case: "gen") } на { CARD($onto, case: "acc") }.
move-card-empty = { $source ->
    [tableau] Переложите { CARD($card, case: "acc") } { empty-place }.
   *[other] Положите { CARD($card, case: "acc") } { move-from } { empty-place }.
}
move-cards-empty = Переложите карты от { CARD($card, case: "gen") } до { CARD($last, case: "gen") } { empty-place }.
empty-place = { $pile ->
    [fan] на место { ORDINAL($n, case: "gen") } веера
    [place] на пустое место { $n }
   *[column] в пустой { ORDINAL($n) } столбец
}
move-ace-up = Положите { CARD($card, case: "acc") } { move-from } в базовый ряд.
move-card-up = Положите { CARD($card, case: "acc") } { move-from } в базовую стопку.
move-cards-up = Положите карты от { CARD($card, case: "gen") } до { CARD($last, case: "gen") } { move-from } в базовую стопку.
move-base-start = Положите { CARD($card, case: "acc") } { move-from } основанием { ORDINAL($n, case: "femgen") } стопки.
move-base-play = Положите { CARD($card, case: "acc") } { move-from } на { ORDINAL($n, case: "femacc") } стопку: { $over ->
    [0] { $top } + { $n } = { $sum }
   *[other] { $top } + { $n } = { $raw }, минус 13 = { $sum }
}: { $rank }.
move-to-waste = Положите { CARD($card, case: "acc") } в открытую стопку.
move-draw = Откройте { $count ->
    [1] одну карту
    [2] две карты
    [3] три карты
   *[other] карты ({ $count })
} из колоды.
move-draw-auxiliary = Откройте { $count ->
    [1] одну карту
    [2] две карты
   *[other] три карты
} из колоды: это девятнадцатый веер.
move-turnover = Переверните открытую стопку: она снова станет колодой.
move-redeal = { $game ->
    [walter] Соберите карты вееров, перетасуйте и разложите снова веерами по четыре.
   *[other] Соберите карты вееров и отложенные карты, перетасуйте и разложите снова веерами по три.
}
move-flip = { $pile ->
    [fan] Откройте карту { ORDINAL($n, case: "gen") } веера.
    [place] Откройте карту на месте { $n }.
    [stock] Откройте верхнюю карту колоды.
    [reserve] Откройте верхнюю карту резерва.
   *[column] Откройте закрытую карту { ORDINAL($n, case: "gen") } столбца.
}
move-deal = { $count ->
    [1] Сдайте одну карту
    [2] Сдайте две карты
   *[other] Сдайте три карты
} из колоды { $pile ->
    [fan] на место { ORDINAL($n, case: "gen") } веера
    [place] на место { $n }
   *[column] { $n ->
        [2] во второй столбец
       *[other] в { ORDINAL($n) } столбец
    }
}.
move-cover = Покройте { $count ->
    [1] новой картой
    [2] двумя новыми картами
    [3] тремя новыми картами
   *[other] новыми картами
} { $cards }.
move-cover-sum = Покройте { $count ->
    [0] картами
    [1] последней картой
   *[other] двумя новыми картами
} { $cards }: { $a } + { $b } = 11.
a-card = { CARD($card) }
the-card = { CARD($card, case: "acc") }
move-remove = Уберите со стола готовую последовательность от { CARD($card, case: "gen") } до { CARD($last, case: "gen") }.
move-remove-plain = Уберите со стола готовую последовательность { pile.gen }.
move-aside = Отложите карты девятнадцатого веера в сторону рубашкой вверх.

## Почему

reason-due = Так велят правила.
reason-wins = Это верный путь к выигрышу.
reason-reveals-card = { $source ->
    [tableau] Освободится закрытая карта { $from }.
   *[other] Откроется карта, которой ещё никто не видел.
}
reason-leads-to-reveal = После этого можно будет открыть закрытую карту.
reason-ace-up = Тузы выкладывают в первую очередь.
reason-to-foundation = Там карте и место.
reason-leads-to-foundation = После этого карта уйдёт в базовую стопку.
reason-frees-ace = Освободится туз.
reason-frees-needed = Освободится карта, которую ждёт базовая стопка.
reason-empties-column = Освободится место.
reason-king-to-place = Король получит своё место.
reason-keeps-place = Свободное место останется свободным.
reason-from-reserve = Резерв станет меньше.
reason-from-stock = Карта из колоды найдёт себе место.
reason-builds-run = Карты складываются по порядку.
reason-completes-run = Последовательность будет готова.
reason-avoids-dead-end = Остальные ходы ведут в тупик.
reason-looks-at-stock = На столе пока нет ничего лучше.
reason-redeals = В этой раздаче больше ничего не сделать.
reason-any-move = Здесь все ходы одинаково хороши.
reason-sets-aside = Все три карты в дело не идут.
reason-nothing-left = Делать больше нечего.

## Чем кончилось

verdict-won = Пасьянс сошёлся!
verdict-lost = Ходов больше нет: пасьянс не сошёлся.
verdict-no-win-found = Пути к выигрышу не видно.
verdict-cycling = Остались только ходы по кругу: пасьянс не сошёлся.
verdict-open = Игра продолжается.
win-chance = Пасьянс сойдётся с вероятностью около { $percent } %.
win-chance-error = Пасьянс сойдётся с вероятностью { $percent } % (± { $error } %).
no-advice = Совета нет: сначала надо прояснить стол.

## Что не так на столе

problem-duplicate = { CARD($card) } встречается слишком часто: { $got ->
    [one] { $got } раз
    [few] { $got } раза
   *[many] { $got } раз
}.
problem-too-many-cards = На столе слишком много карт: { $got }, а должно быть { $expected }.
problem-too-few-cards = { $count ->
    [0] На столе не хватает карт: { $got } из { $expected }.
    [alone] Не хватает карты: { CARD($card) }.
    [all] Не хватает карт: { $cards }.
   *[some] Не хватает { $lacking ->
        [one] { $lacking } из этих карт
       *[other] { $lacking } из этих карт
    }: { $cards }.
}
problem-impossible-run = { $where } { CARD($card) } и { CARD($last) } не могут лежать рядом.
problem-impossible-run-plain = { $where } карты лежат в невозможном порядке.
problem-foundation-gap = { $where } карты идут не подряд.
problem-bad-count = { $expected ->
    [0] { $where } не может быть столько карт: { $got }.
   *[other] { $where } { $got ->
        [one] { $got } карта
        [few] { $got } карты
       *[many] { $got } карт
    }, а может быть не больше { $expected }.
}
problem-must-be-empty = { $where } не должно быть карт.
problem-face-down = { $where } карта лежит рубашкой вверх, а должна быть открыта.
problem-face-up = { $where } карта открыта, а должна лежать рубашкой вверх.
problem-hidden-above-open = { $where } закрытая карта лежит на открытой.
problem-wrong-base = { $where } первой не может лежать { CARD($card) }.
problem-wrong-base-plain = { $where } первой лежит не та карта.
problem-stray = { $count ->
    [one] { $count } карта лежит
    [few] { $count } карты лежат
   *[many] { $count } карт лежат
} мимо мест этого пасьянса: { $cards }.
problem-other-game = Стол не похож на раскладку пасьянса «{ $game }». Проверьте, тот ли выбран пасьянс и виден ли весь стол.
problem-nothing-found = На снимке не видно карт. Наведите камеру на стол, добавьте света.
problem-too-far = Карты слишком мелкие: индекс { $has } точек в высоту, нужно не меньше { $needs }. Подвиньте камеру ближе.
problem-blurred = Снимок слишком размыт. Закрепите камеру и наведите на резкость.
problem-too-dark = Слишком темно. Добавьте света.
problem-same-card-twice = { $has ->
    [2] { CARD($card) } видна на столе дважды.
    [3] { CARD($card) } видна на столе в третий раз.
   *[other] { CARD($card) } встречается слишком часто.
}
problem-more-than-a-pack = На снимке больше карт, чем в колоде: { $got }.
problem-unknown = Что-то не так: { $kind }.

## Вопросы

question-which-card = { $where } карта не прочитана. Это { $choices }?
question-which-card-open = { $where } карта не прочитана. Какая она?
question-how-many-hidden = Сколько закрытых карт { $where }?
question-which-side = У какого края снимка вы сидите: у ближнего (нижнего) или у дальнего? Ответ: side=near или side=far.
question-which-place = Где лежит { CARD($card) }?
question-unseen = { $where } карта ещё не видна. Какая она?
list-and = { $head } и { $last }
list-or = { $head } или { $last }
somewhere = На столе

## Команды

reading-nothing = { $image }: карт не видно.
reading-summary = { $image }: { $open ->
    [one] { $open } открытая карта
    [few] { $open } открытые карты
   *[many] { $open } открытых карт
}, { $down ->
    [one] { $down } закрытая
    [few] { $down } закрытые
   *[many] { $down } закрытых
}, { $unsure ->
    [0] все прочитаны уверенно
    [one] { $unsure } прочитана неуверенно
   *[other] { $unsure } прочитаны неуверенно
}.
picture-written = Картинка с пометками: { $path }
sound-written = Звук: { $path }
pending-title = Сначала надо сделать
moves-title = Возможные ходы
problems-title = Что не так
questions-title = Вопросы
line-title = Дальше
unsure-mark = не уверен

## Пасьянсы

game-klondike = Клондайк
game-klondike-common = Клондайк по обычным правилам
game-canfield = Кэнфилд
game-canfield-common = Кэнфилд по обычным правилам
game-mrs-mop = Миссис Моп
game-walter = Вальтер
game-walter-scott = Вальтер Скотт
game-nineteenth-fan = Девятнадцатый веер
game-eleven-points = Одиннадцать очков
game-eleven-10 = Одиннадцать очков, десять мест
game-elevens = Одиннадцать: валет, дама, король

## Игра в терминале

play-help = Ход — номер или запись (T3-T5). h подсказка, u назад, r вперёд, m все ходы, t стол, s сохранить, q выход.
play-words-table = t table стол
play-words-hint = h hint подсказка
play-words-undo = u undo назад
play-words-redo = r redo вперёд вперед
play-words-moves = m moves ходы
play-words-save = s save сохранить
play-words-help = ? help помощь
play-words-quit = q quit exit выход
play-prompt = Ваш ход
play-bad-move = Такого хода нет: { $text }. Наберите m, чтобы увидеть все ходы.
play-nothing-to-undo = Назад некуда.
play-nothing-to-redo = Вперёд некуда.
play-saved = Партия сохранена: { $path }
play-resumed = Продолжаем сохранённую партию.
play-not-saved = Сохранённой партии нет, начинаем новую.
play-lost = Вернуть ход — u, закончить — q.
play-score-foundations = Карт на базовых стопках: { $score } из { $all }.
play-score-bases = Карт в базовых стопках: { $score } из { $all }.
play-score-runs = Убрано карт: { $score } из { $all }.
play-score-dealt = Выложено карт: { $score } из { $all }.
play-seed = Сдача № { $seed }.

## Настройки правил

rules-options = Настройки: --option ИМЯ=ЗНАЧЕНИЕ
option-default = { $value } (здесь)
option-range = число от { $least } до { $most }
option-draw = Сколько карт открывают из колоды за раз.
option-turnovers = Сколько раз можно перевернуть стопку открытых карт; null — без ограничений.
option-move_part = Можно ли перекладывать часть последовательности.
option-foundation_back = Можно ли вернуть карту с базовой стопки.
option-kings_only = Занимают ли свободные места только короли, даже когда все короли уже на местах.
option-space_end_card = Может ли, когда все короли на местах, последняя карта столбца одна занять свободное место.
option-auto_aces = Уходит ли каждый освободившийся туз в базовый ряд сразу.
option-canfield-fill = Пустой столбец заполняют из резерва сразу (auto) или когда угодно (manual).
option-after_reserve = Что кладут в пустой столбец, когда резерв кончился: верхнюю открытую карту (waste) или любую (any).
option-past_base = Растёт ли столбец вниз дальше на карте базового достоинства.
option-reserve_known = Знаете ли вы закрытые карты резерва.
option-auto_base = Уходят ли карты базового достоинства из столбцов и резерва сразу.
option-places = Сколько карт выкладывают.
option-courts = Что делают с валетами, дамами и королями: каждого покрывают сразу (cover); валета, даму и короля вместе (trio); любых трёх (any3); любых двух (pair_any); двух одинаковых (pair_equal); короля одного, даму с валетом (king_alone).
option-eleven-points-fill = Новые карты кладут на старые (cover) или вместо них (discard).
option-fan_build = Какие масти ложатся друг на друга в веере: любые (any), та же (suit), красное на чёрное и наоборот (alternate).
option-auto_foundation = Уходит ли сразу каждая карта, которая может уйти.
option-aux_order = Из девятнадцатого веера играют только правую карту (right) или любую (any).
option-aux_between = Что можно перекладывать, пока играют девятнадцатый веер: только в базовый ряд (foundation), ничего (none), что угодно (any).
option-draw_when = Открывать девятнадцатый веер можно всегда (any) или только когда веера ничего не дают (stuck).
option-memory = Помнит ли игрок отложенные карты.
option-redeals = Сколько раз оставшееся тасуют и раскладывают снова.
option-empty_place = Что кладут на пустое место, когда колода кончилась: ничего (none), короля (king), любую карту (any).
option-attempts = Сколько всего раскладов.
option-redeal_when = Раскладывать снова можно, только когда ничего не подходит (stuck), или когда угодно (any).
option-display = Видны все карты веера (fan) или только верхняя (stack).
option-waste_rebare = Можно ли играть открытую карту, которая освободилась снова.
option-stock_face_up = Видна ли следующая карта колоды и можно ли её играть.

## Ошибки

error-title = Ошибка
