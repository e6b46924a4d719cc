"""Stands in for the package aenum, which Debian does not have.

A client generated for pydantic 1 takes from it one thing: an Enum in whose body its own name can be said.
"""

import enum

no_arg = None


class _Body(enum._EnumDict):
    def __missing__(self, name):
        if name != self._cls_name:
            raise KeyError(name)
        return name


class _Enums(enum.EnumMeta):
    @classmethod
    def __prepare__(cls, name, bases, **options):
        body = super().__prepare__(name, bases, **options)
        body.__class__ = _Body
        return body


class Enum(enum.Enum, metaclass=_Enums):
    pass
