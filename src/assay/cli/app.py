"""Groups of commands, options that several commands share, and the environment variables of options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, ClassVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

PREFIX = "ASSAY"
# The workspace reads these variables itself, so that the Python interface follows them too.
OF_THE_WORKSPACE = frozenset(
    {"ASSAY_WATCH_MODEL", "ASSAY_WATCH_SUITE", "ASSAY_WATCH_SCHEDULE", "ASSAY_WATCH_ALLOW_UNPINNED"}
)


def new_app(*, completion: bool = False, **settings: Any) -> typer.Typer:
    """Return an empty group of commands whose help is plain text for 80 columns and for pipes.

    With `completion` the group has the options that install or show completion for the shell.
    """
    return typer.Typer(
        add_completion=completion, rich_markup_mode=None, pretty_exceptions_enable=False, **settings
    )


class LazyGroup(TyperGroup):
    """A group that lists its commands by name and imports a command only to run it.

    `table` gives each command's import path, such as `assay.cli.run:app`, and its line in the group's help.
    """

    table: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the command names in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a placeholder that carries the help line; None for an unknown name."""
        if cmd_name not in self.table:
            return None
        return TyperCommand(cmd_name, help=self.table[cmd_name][1])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the command that the arguments name and return it."""
        name, placeholder, rest = super().resolve_command(ctx, args)
        if placeholder is None or name is None:
            return name, placeholder, rest
        command = self.loaded(name)
        groups = [context.info_name for context in _with_parents(ctx) if context.parent is not None]
        give_variables(command, "_".join((PREFIX, *groups, name)))
        return name, command, rest

    def loaded(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        module, _, attribute = self.table[name][0].partition(":")
        declared = getattr(import_module(module), attribute)
        if not isinstance(declared, typer.Typer):
            single = new_app()
            single.command(name)(declared)
            declared = single
        command = get_command(declared)
        command.name = name
        return command


def lazy_app(table: Mapping[str, tuple[str, str]], *, completion: bool = False) -> typer.Typer:
    """Return a group of commands that imports a command only to run it."""
    group = type("Group", (LazyGroup,), {"table": table})
    return new_app(cls=group, no_args_is_help=True, completion=completion)


def _with_parents(context: Any) -> list[Any]:
    """Return a context and its parents, the outermost first."""
    return [] if context is None else [*_with_parents(context.parent), context]


def give_variables(command: Any, prefix: str) -> None:
    """Let every option of a command also be set by a variable `ASSAY_<COMMAND>_<OPTION>`.

    Several values are separated by spaces.
    """
    for parameter in command.params:
        names = [name for name in parameter.opts if name.startswith("--")]
        if not names or parameter.param_type_name != "option":
            continue
        variable = f"{prefix}_{names[0].removeprefix('--')}".upper().replace("-", "_")
        if variable not in OF_THE_WORKSPACE:
            parameter.envvar = variable
            parameter.show_envvar = False
    for name, subcommand in getattr(command, "commands", {}).items():
        give_variables(subcommand, f"{prefix}_{name}")


def with_options(
    command: Callable[..., None],
    parameter: str,
    options: Mapping[str, tuple[Any, Any]],
    value: Callable[[typer.Context, dict[str, Any]], object],
) -> Callable[..., None]:
    """Return a command with more options, in which one parameter is computed from these options.

    `options` are types and `typer.Option`s by name. `value` computes the parameter from the user's choices.
    The command's first parameter is the context.
    """
    own = inspect.signature(command).parameters
    if next(iter(own)) != "ctx" or parameter not in own:
        raise TypeError(f"{command.__name__} must take ctx as its first parameter, and {parameter}")

    @wraps(command)
    def completed(ctx: typer.Context, **arguments: Any) -> None:
        choices = {name: arguments.pop(name) for name in options}
        command(ctx, **arguments, **{parameter: value(ctx, choices)})

    others = [other for name, other in own.items() if name != parameter]
    hints = get_type_hints(command)
    parameters = [
        *(
            other.replace(
                annotation=hints[other.name], kind=inspect.Parameter.KEYWORD_ONLY if place else other.kind
            )
            for place, other in enumerate(others)
        ),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=option)
            for name, (kind, option) in options.items()
        ),
    ]
    completed.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    completed.__annotations__ = {option.name: option.annotation for option in parameters}
    del completed.__wrapped__
    return completed
