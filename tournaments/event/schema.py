"""Map the classes of `document` to objects in the event file, and read and write them.

A field that is in the file is annotated with a `FileValue`, or with `Nested` or `NestedList` for objects of
another class, and with a description if the name is not sufficient. Its key is its name unless `KeyPath`
gives another key or a path of keys. Fields with the same path are a list there, such as both sides of a
score. A field without a `FileValue` is not in the file. The order of the fields is the order of the keys.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Annotated, Any, ClassVar, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, core_schema

from tournaments.event.json_writer import Lines, Rows
from tournaments.event.values import (
    Fault,
    FileValue,
    Schema,
    as_list,
    faults_of,
    twice_in,
    validation_error,
    wrong_type,
)

Object = dict[str, Any]

REQUIRED: Any = ...
"""The default of fields without a default, as in pydantic."""

FurtherKeys = Mapping[str, tuple[FileValue, str]]
"""Keys without a field: the kind of value of each, and its description."""

ANNOTATIONS = "$annotations"
"""The temporary schema key for the description and default of one place, which are moved up later."""

Limits = Callable[[Object], tuple[list[Fault], Object]]
"""Check an object before its values are read. Return the faults, and the object without the faulty keys."""


class KeyPath:
    """The path of a field's key, from the object of its class."""

    def __init__(self, *keys: str) -> None:
        self.keys = keys


@dataclass(frozen=True)
class Key:
    """A key of an object in the file. `names`: the fields of the class that it fills, if any."""

    keys: tuple[str, ...]
    kind: FileValue
    names: tuple[str, ...] = ()
    default: Any = REQUIRED
    description: str = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED if self.kind.required is None else self.kind.required

    @cached_property
    def name(self) -> str:
        """Return the field that the key fills, or the key itself if it fills several fields or none."""
        return self.names[0] if len(self.names) == 1 else self.keys[-1]

    @cached_property
    def path(self) -> str:
        return ".".join(self.keys)

    @cached_property
    def of(self) -> Callable[[Any], Any]:
        """Return a function that gets the value from an entry; a tuple if the key fills several fields."""
        return attrgetter(*self.names)


class FileObject:
    """A class whose instances are objects of the event file."""

    __slots__ = ()

    further: ClassVar[Mapping[str, FurtherKeys]] = {}
    """Keys without a field, by the field that they follow. `from_file` and `in_file` convert them."""

    is_spread: ClassVar[bool] = False
    """Whether the file has a line for each key of its objects."""

    limits: ClassVar[Mapping[str, Limits]] = {}
    """Checks that depend on several keys, by the path of the group; blank for the object itself."""

    conditions: ClassVar[Mapping[str, Schema]] = {}
    """The same checks as JSON Schema, by the same paths."""

    @classmethod
    def from_file(cls, values: Object) -> Any:
        return cls(**values)

    def in_file(self) -> Mapping[str, Any]:
        """Return the values that do not equal their fields, by path; None leaves a key out."""
        return {}


@dataclass(frozen=True)
class Nested(FileValue):
    """An object of a class of the document."""

    of: Any  # a class
    required: bool | None = None

    def core_schema(self) -> CoreSchema:
        return object_schema(self.of)

    def read(self, value: Any, faults: list[Fault]) -> Any:
        try:
            return adapter_of(self.of).validate_python(value)
        except ValidationError as refused:
            faults += faults_of(refused)

    def write(self, value: Any) -> Object:
        return object_of(value, self.of)

    def schema(self) -> Schema:
        return adapter_of(self.of).json_schema(schema_generator=SchemaGenerator)


@dataclass(frozen=True)
class NestedList(FileValue):
    """A list of objects of a class of the document, one per line."""

    of: Any  # a class
    required: bool | None = None
    is_spread: bool = True

    def core_schema(self) -> CoreSchema:
        entries = core_schema.list_schema(object_schema(self.of), strict=True)
        return core_schema.no_info_after_validator_function(tuple, entries)

    def write(self, value: Any) -> list[Object]:
        return [object_of(each, self.of) for each in value]


@cache
def file_keys(cls: Any) -> tuple[Key, ...]:
    if hasattr(cls, "declared"):
        return tuple(cls.declared())
    defaults = _defaults_of(cls)
    further: Mapping[str, FurtherKeys] = getattr(cls, "further", {})
    found = [Key((key,), kind, description=text) for key, (kind, text) in further.get("", {}).items()]
    for name, hint in get_type_hints(cls, include_extras=True).items():
        notes = getattr(hint, "__metadata__", ())
        kind = next((each for each in notes if isinstance(each, FileValue)), None)
        if kind is None:
            continue
        keys = next((each.keys for each in notes if isinstance(each, KeyPath)), (name,))
        description = next((each for each in notes if isinstance(each, str)), "")
        if found and found[-1].keys == keys:
            found[-1] = _joined_key(found[-1], name, defaults[name])
        else:
            found.append(Key(keys, kind, (name,), defaults[name], description))
        for key, (inner, text) in further.get(name, {}).items():
            found.append(Key((key,), inner, default=None, description=text))
    return tuple(found)


def _joined_key(key: Key, name: str, default: Any) -> Key:
    before = key.default if len(key.names) > 1 else (key.default,)
    joined = REQUIRED if default is REQUIRED else (*before, default)
    return Key(key.keys, key.kind, (*key.names, name), joined, key.description)


def _defaults_of(cls: Any) -> dict[str, Any]:
    if not is_dataclass(cls):  # a TypedDict has none
        return {name: None if name in cls.__optional_keys__ else REQUIRED for name in cls.__annotations__}
    return {
        each.name: REQUIRED
        if each.default is each.default_factory is MISSING
        else each.default
        if each.default_factory is MISSING
        else each.default_factory()
        for each in fields(cls)
    }


def field_names(cls: type[Any], *without: str) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name not in without)


def field_values(entry: Any, *without: str) -> dict[str, Any]:
    """Return the field values of an entry in the form of the models: lists, not tuples."""
    return {name: as_list(getattr(entry, name)) for name in field_names(type(entry), *without)}


# --- validation ------------------------------------------------------------------------------------------


def object_schema(cls: Any) -> CoreSchema:
    """Return the pydantic schema that validates an object of the file and converts it to a document entry."""
    keys = file_keys(cls)
    return core_schema.no_info_after_validator_function(
        partial(_read_entry, cls, keys), _group_schema(cls, (), keys)
    )


@cache
def adapter_of(cls: Any) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[Any, Nested(cls)])


def _group_schema(cls: Any, path: tuple[str, ...], keys: tuple[Key, ...]) -> CoreSchema:
    inside: dict[str, list[Key]] = {}
    for each in keys:
        inside.setdefault(each.keys[len(path)], []).append(each)
    properties = {}
    for name, members in inside.items():
        first = members[0]
        if len(first.keys) > len(path) + 1:
            inner = _group_schema(cls, (*path, name), tuple(members))
            is_required = any(each.default is REQUIRED for each in members)
            conditions: Schema = {}
        else:
            inner, is_required = first.kind.core_schema(), first.required
            notes: Schema = {"description": first.description} if first.description else {}
            if first.default is not REQUIRED and not _is_blank(first.default):
                notes["default"] = first.kind.write(first.default)
            conditions = {ANNOTATIONS: notes} if notes else {}
        properties[name] = core_schema.typed_dict_field(
            inner, required=is_required, metadata={"pydantic_js_updates": conditions}
        )
    group = ".".join(path)
    conditions = {**getattr(cls, "conditions", {}).get(group, {})}
    if not path:
        # `changed_rules` for ChangedRules
        conditions["title"] = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Entry")).lower()
        # Only up to the first punctuation mark: the rest describes the fields for developers.
        conditions.setdefault("description", f"{re.split('[.;:]', inspect.cleandoc(cls.__doc__))[0]}.")
    validated = core_schema.typed_dict_schema(
        properties, extra_behavior="forbid", metadata={"pydantic_js_updates": conditions}
    )
    limits = getattr(cls, "limits", {}).get(group)
    return core_schema.no_info_wrap_validator_function(
        partial(_guarded, tuple(properties), limits), validated
    )


class SchemaGenerator(GenerateJsonSchema):
    """Omits titles of keys, which would only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # the name is pydantic's
        return False


def _guarded(
    known: tuple[str, ...], limits: Limits | None, value: Any, validate: Callable[[Object], Object]
) -> Object:
    if not isinstance(value, dict):
        raise validation_error([wrong_type(value, "an object")])
    faults, suited = limits(value) if limits else ([], value)
    unknown = [key for key in suited if key not in known]
    nulls = [key for key in known if key in suited and suited[key] is None]
    faults = [*twice_in(value), *(_unknown_key(key, known) for key in unknown), *map(_null, nulls), *faults]
    if not faults:
        return validate(suited)
    # Validate nevertheless, so that all findings of a file are reported at once.
    try:
        validate({key: each for key, each in suited.items() if key in known})
    except ValidationError as refused:
        # A null key already has a fault, so the fault of its value is omitted.
        faults += (fault for fault in faults_of(refused) if fault.loc[0] not in nulls)
    raise validation_error(faults)


def _unknown_key(key: str, known: tuple[str, ...]) -> Fault:
    # A key of a later edition of the format is refused too: to ignore it would silently lose data.
    text = f"Unknown key “{key}”. Known keys: {', '.join(known)}. A newer Crosstable may know it."
    return Fault("unknown-key", text, (key,))


def _null(key: str) -> Fault:
    text = f"“{key}” is null. Leave the key out if the value is unknown."
    return Fault("wrong-type", text, (key,))


def _read_entry(cls: Any, keys: tuple[Key, ...], validated: Object) -> Any:
    values: Object = {}
    for key in keys:
        here: Any = validated
        for name in key.keys[:-1]:
            here = here.get(name)
            # The fields of an omitted group have their defaults.
            if here is None:
                break
        else:
            here = here.get(key.keys[-1], key.default if len(key.keys) > 1 else REQUIRED)
            if here is REQUIRED:
                continue
            values |= zip(key.names, here, strict=True) if len(key.names) > 1 else ((key.name, here),)
    if issubclass(cls, FileObject):
        return cls.from_file(values)
    return with_blanks(cls, values)


def with_blanks(cls: Any, values: Object) -> Object:
    # Blanks may be lists, which objects must not share.
    return {key.name: deepcopy(key.kind.blank) for key in file_keys(cls)} | values


# --- writing ----------------------------------------------------------------------------------------------


def _is_blank(value: Any) -> bool:
    """Return whether a value is left out of a file as unknown; 0 is a value."""
    if isinstance(value, tuple):
        return all(each is None for each in value)
    return value in (None, "", [], {})


def object_of(entry: Any, cls: Any | None = None) -> Object:
    """Return an entry as an object of the file, without defaults. `cls`: the class of plain data."""
    cls = cls or cast("Any", type(entry))
    written: Object = Lines() if getattr(cls, "is_spread", False) else {}
    is_plain = isinstance(entry, dict)
    converted = {} if is_plain else entry.in_file()
    for key in file_keys(cls):
        if key.path in converted:
            value = converted[key.path]
            if value in (None, ""):
                continue
        else:
            found = entry[key.name] if is_plain else key.of(entry)
            # Plain data has every key and no other defaults.
            default = key.kind.blank if is_plain else key.default
            if not key.kind.required and (found == default or _is_blank(found)):
                continue
            value = key.kind.write(found)
        if key.kind.is_spread:
            value = Lines(value) if isinstance(value, dict) else Rows(value)
        if len(key.keys) == 1:
            written[key.path] = value
        else:
            set_path(written, key.keys, value)
    return written


def set_path(written: Object, keys: tuple[str, ...], value: Any) -> None:
    for name in keys[:-1]:
        written = written.setdefault(name, {})
    written[keys[-1]] = value
