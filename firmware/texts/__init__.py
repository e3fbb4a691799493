"""What the board says, in every language it speaks: sentences for the rules' events, and the rules in words.

The wording is data (`en.toml`, `fr.toml`; README.md here tells how to translate). Code in this package
only picks a text and fills its placeholders; nothing is drawn, spoken or printed.
"""

from firmware.texts.announcing import announcement, sentence
from firmware.texts.codes import NoticeCode, Trouble, TroubleCode, Unfound, Unkept
from firmware.texts.explaining import (
    explain_idle,
    explain_reason,
    next_match,
    outcome_sentence,
    stroke_played_on,
    waiting_sentence,
)
from firmware.texts.games_in_words import option_in_brief, seat_named, seats_named
from firmware.texts.noticing import ends_changed, umpire_notice
from firmware.texts.reviewing import (
    hold_again,
    no_reviews_left,
    nothing_to_review,
    overruling_choice,
    press_again,
    review_asked,
    review_let_stand,
    review_overturned,
    review_stands,
    review_unclear,
)
from firmware.texts.rules_in_words import Statement, statements
from firmware.texts.set_in_words import explain_set_reason, set_act, set_outcome, set_sentence
from firmware.texts.table import LANGUAGES, Language, Texts, TextsError, load
from firmware.texts.troubles import (
    board_unfound,
    button_stuck,
    calibration_kept,
    match_goes_on,
    match_unkept,
    trouble_sentence,
)

__all__ = [
    "LANGUAGES",
    "Language",
    "NoticeCode",
    "Statement",
    "Texts",
    "TextsError",
    "Trouble",
    "TroubleCode",
    "Unfound",
    "Unkept",
    "announcement",
    "board_unfound",
    "button_stuck",
    "calibration_kept",
    "ends_changed",
    "explain_idle",
    "explain_reason",
    "explain_set_reason",
    "hold_again",
    "load",
    "match_goes_on",
    "match_unkept",
    "next_match",
    "no_reviews_left",
    "nothing_to_review",
    "option_in_brief",
    "outcome_sentence",
    "overruling_choice",
    "press_again",
    "review_asked",
    "review_let_stand",
    "review_overturned",
    "review_stands",
    "review_unclear",
    "seat_named",
    "seats_named",
    "sentence",
    "set_act",
    "set_outcome",
    "set_sentence",
    "statements",
    "stroke_played_on",
    "trouble_sentence",
    "umpire_notice",
    "waiting_sentence",
]
