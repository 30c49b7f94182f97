"""One question with seven radio buttons, in so many rounds as the bench asks for."""

from os import environ

from otree.api import BaseConstants, BaseGroup, BasePlayer, BaseSubsession, Page, models, widgets


class C(BaseConstants):
    NAME_IN_URL = "seven"
    PLAYERS_PER_GROUP = None
    NUM_ROUNDS = int(environ.get("EYELEVEL_BENCH_ROUNDS", "10"))


class Subsession(BaseSubsession):
    pass


class Group(BaseGroup):
    pass


class Player(BasePlayer):
    score = models.IntegerField(choices=[1, 2, 3, 4, 5, 6, 7], widget=widgets.RadioSelect)


class Rate(Page):
    form_model = "player"
    form_fields = ["score"]  # noqa: RUF012 - as oTree wants it


page_sequence = [Rate]
