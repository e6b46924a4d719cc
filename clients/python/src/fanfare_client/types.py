"""The shapes of answers and arguments.

Generated from openapi.yaml by clients/generate.py: change that file, and run it.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, List, Literal, Optional, TypedDict, Union

Upload = Union[bytes, str, os.PathLike, BinaryIO]


class _AccountFields(TypedDict):
    id: Id
    username: str
    acct: str
    display_name: str
    locked: bool
    bot: bool
    discoverable: bool
    indexable: bool
    group: bool
    created_at: Time
    note: Html
    url: Url
    uri: Url
    avatar: Url
    avatar_static: Url
    avatar_description: str
    header: Url
    header_static: Url
    header_description: str
    followers_count: Count
    following_count: Count
    statuses_count: Count
    last_status_at: Optional[str]
    hide_collections: bool
    noindex: bool
    emojis: CustomEmojis
    roles: Nothing
    fields: List[ProfileField]


class AccountFields(_AccountFields, total=False):
    limited: bool


class AccountSelectionAct(TypedDict):
    type: Literal['sensitive', 'silence', 'suspend']
    state: Literal['acting', 'acted', 'undoing', 'undone', 'stopped']
    by_account_id: Optional[str]
    by_operator: Optional[str]
    text: str
    why: str
    created_at: Time
    undo_until: Time
    settled: int
    changed: int
    gone: int
    skipped: int
    restored: int


class AccountSelection(TypedDict):
    """Accounts that a moderator has selected, and the one act on them."""

    id: str
    created_at: Time
    by_account_id: Optional[str]
    criteria: str
    count: int
    more: bool
    complete: bool
    posts_since: Optional[Time]
    accounts: List[AdminAccount]
    act: Optional[AccountSelectionAct]


class AccountWarning(TypedDict):
    """A notice to an account of what a moderator did. It names no moderator."""

    id: Id
    action: Literal['none', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend']
    text: str
    status_ids: List[Id]
    target_account: Account
    appeal: Optional[Appeal]
    created_at: Time


class Activity(TypedDict):
    week: str
    statuses: str
    logins: str
    registrations: str


class Address(TypedDict):
    email: Optional[str]
    confirmed: bool
    wanted: Optional[str]
    fixed_until: Optional[Time]


class _AdminAccount(TypedDict):
    id: Id
    username: str
    domain: None
    created_at: Time
    email: str
    ip: None
    ips: Nothing
    locale: None
    invite_request: Optional[str]
    confirmed: bool
    approved: bool
    disabled: bool
    silenced: bool
    suspended: bool
    sensitized: bool
    role: Role
    account: Account


class AdminAccount(_AdminAccount, total=False):
    """An account as moderators see it."""

    invited_by_account_id: Id


class AdminBlockUse(TypedDict):
    day: str
    accounts: str
    uses: str


class AdminEmailDomainBlock(TypedDict):
    id: Id
    domain: str
    created_at: Time
    history: List[AdminBlockUse]
    allow_with_approval: Literal[False]


class AdminIpBlock(TypedDict):
    id: Id
    ip: str
    severity: IpBlockSeverity
    comment: str
    created_at: Time
    expires_at: Optional[Time]


class AdminReport(TypedDict):
    id: str
    action_taken: bool
    action_taken_at: Optional[Time]
    category: Literal['spam', 'legal', 'violation', 'other']
    comment: str
    forwarded: bool
    created_at: Time
    updated_at: Time
    account: Optional[AdminAccount]
    target_account: Optional[AdminAccount]
    assigned_account: Optional[AdminAccount]
    action_taken_by_account: Optional[AdminAccount]
    statuses: List[Status]
    rules: Rules


class AdminUsernameBlock(TypedDict):
    id: Id
    username: str
    comment: str
    created_at: Time


class AnnouncementTags(TypedDict):
    name: str
    url: Url


class Announcement(TypedDict):
    id: Id
    content: str
    starts_at: Optional[Time]
    ends_at: Optional[Time]
    all_day: bool
    published_at: Time
    updated_at: Time
    read: bool
    mentions: Nothing
    statuses: Nothing
    tags: List[AnnouncementTags]
    emojis: List[CustomEmoji]
    reactions: Nothing


class Appeal(TypedDict):
    text: str
    state: Literal['pending', 'approved', 'rejected']


class ApplicationFields(TypedDict):
    id: str
    name: str
    website: Optional[str]
    scopes: List[str]
    redirect_uri: str
    redirect_uris: List[str]
    vapid_key: str


class Article(TypedDict):
    """What makes a status an article; others have none."""

    title: str
    link: Optional[Url]
    votes: int
    score: int
    voted: Optional[bool]
    voting_ends_at: Time
    groups: List[GroupName]


class ArticleGroup(TypedDict):
    name: GroupName
    articles_count: Count


class AuditEntry(TypedDict):
    id: str
    created_at: Time
    action: str
    via: Literal['api', 'command', 'console', 'other']
    by_account_id: Optional[str]
    by_operator: Optional[str]
    target_account_id: Optional[str]
    report_id: Optional[str]
    status_id: Optional[str]
    detail: str
    why: str


class AuditLog(TypedDict):
    entries: List[AuditEntry]
    next: Optional[str]


class _AuthorizationServer(TypedDict):
    issuer: Url
    authorization_endpoint: Url
    token_endpoint: Url
    revocation_endpoint: Url
    scopes_supported: List[str]
    response_types_supported: List[Literal['code']]
    grant_types_supported: List[Literal['authorization_code', 'client_credentials', 'password']]
    code_challenge_methods_supported: List[Literal['S256']]
    token_endpoint_auth_methods_supported: List[str]
    authorization_response_iss_parameter_supported: bool


class AuthorizationServer(_AuthorizationServer, total=False):
    """RFC 8414."""

    app_registration_endpoint: Url
    response_modes_supported: List[str]


class _Availability(TypedDict):
    available: bool


class Availability(_Availability, total=False):
    username: bool
    email: bool


class Challenge(TypedDict):
    challenge: Optional[str]
    algorithm: Literal['sha-256']
    bits: int
    expires_at: Optional[Time]


class ConfigurationFieldsAccounts(TypedDict):
    max_featured_tags: Count
    max_pinned_statuses: Count


class ConfigurationFieldsStatuses(TypedDict):
    max_characters: Count
    max_media_attachments: Count
    characters_reserved_per_url: Count


class ConfigurationFieldsMediaAttachments(TypedDict):
    supported_mime_types: List[str]
    description_limit: Count
    image_size_limit: Count
    image_matrix_limit: Count
    video_size_limit: int
    video_frame_rate_limit: int
    video_matrix_limit: Count


class ConfigurationFields(TypedDict):
    accounts: ConfigurationFieldsAccounts
    statuses: ConfigurationFieldsStatuses
    media_attachments: ConfigurationFieldsMediaAttachments
    polls: PollLimits


class Context(TypedDict):
    ancestors: List[Status]
    descendants: List[Status]


class Conversation(TypedDict):
    id: Id
    unread: bool
    accounts: List[Account]
    last_status: Status


Count = int


Cursor = str


class _CustomEmoji(TypedDict):
    shortcode: str
    url: Url
    static_url: Url
    visible_in_picker: bool


class CustomEmoji(_CustomEmoji, total=False):
    category: str


CustomEmojis = List["CustomEmoji"]


Empty = Dict[str, Any]


class Factor(TypedDict):
    enabled: bool
    enabled_at: Optional[Time]
    recovery_codes: int
    removed_at: Optional[Time]
    required: bool


class FamiliarFollowers(TypedDict):
    id: Id
    accounts: List[Account]


class FeaturedTag(TypedDict):
    id: Id
    name: str
    url: Url
    statuses_count: str
    last_status_at: Optional[str]


class FeedAccess(TypedDict):
    """Who may read what this server, and what other ones have written."""

    local: Literal['public', 'authenticated', 'disabled']
    remote: Literal['public', 'authenticated', 'disabled']


class Filter(TypedDict):
    id: Id
    title: str
    context: FilterContexts
    expires_at: Optional[Time]
    filter_action: Literal['warn', 'hide', 'blur']
    keywords: List[FilterKeyword]
    statuses: List[FilterStatus]


FilterContexts = List[Literal['home', 'notifications', 'public', 'thread', 'account']]


class FilterHead(TypedDict):
    id: Id
    title: str
    context: FilterContexts
    expires_at: Optional[Time]
    filter_action: Literal['warn', 'hide', 'blur']


class FilterKeyword(TypedDict):
    id: Id
    keyword: str
    whole_word: bool


class FilterResult(TypedDict):
    filter: FilterHead
    keyword_matches: Optional[List[str]]
    status_matches: Optional[List[Id]]


class FilterStatus(TypedDict):
    id: Id
    status_id: Id


GroupName = str


class _GroupedNotifications(TypedDict):
    accounts: List[Account]
    statuses: List[Status]
    notification_groups: List[NotificationGroup]


class GroupedNotifications(_GroupedNotifications, total=False):
    """An account and a status stand here once, however many groups name them."""

    partial_accounts: List[PartialAccount]


class _HeldStatus(TypedDict):
    id: Id
    created_at: Time
    expires_at: Time
    scheduled_at: Optional[Time]
    signal: Signal
    reason: str
    comment_on_id: Optional[Id]
    params: StatusParams
    media_attachments: List[MediaAttachment]


class HeldStatus(_HeldStatus, total=False):
    """A post that waits for a moderator."""

    account: Account


Html = str


Id = str


class InstanceV1Urls(TypedDict):
    streaming_api: str


class InstanceV1Stats(TypedDict):
    user_count: Count
    status_count: Count
    domain_count: Count


class InstanceV1(TypedDict):
    uri: str
    title: str
    short_description: str
    description: str
    email: str
    version: str
    urls: InstanceV1Urls
    stats: InstanceV1Stats
    thumbnail: Url
    languages: List[str]
    registrations: bool
    approval_required: bool
    invites_enabled: bool
    configuration: ServerConfiguration
    contact_account: Optional[Account]
    rules: Rules


class InstanceV2UsageUsers(TypedDict):
    active_month: Count


class InstanceV2Usage(TypedDict):
    users: InstanceV2UsageUsers


class InstanceV2Thumbnail(TypedDict):
    url: Url


class InstanceV2ConfigurationUrls(TypedDict):
    streaming: str
    status: None
    about: Url
    privacy_policy: Optional[str]
    terms_of_service: Optional[str]


class InstanceV2ConfigurationVapid(TypedDict):
    public_key: str


class InstanceV2ConfigurationTranslation(TypedDict):
    enabled: bool


class InstanceV2ConfigurationTimelinesAccess(TypedDict):
    live_feeds: FeedAccess
    hashtag_feeds: FeedAccess
    trending_link_feeds: FeedAccess


class _InstanceV2Configuration(ConfigurationFields):
    urls: InstanceV2ConfigurationUrls
    vapid: InstanceV2ConfigurationVapid
    translation: InstanceV2ConfigurationTranslation
    timelines_access: InstanceV2ConfigurationTimelinesAccess


class InstanceV2Configuration(_InstanceV2Configuration, total=False):
    limited_federation: bool


class InstanceV2Registrations(TypedDict):
    enabled: bool
    approval_required: bool
    reason_required: bool
    min_age: None
    message: Optional[str]
    url: Optional[str]


class InstanceV2ApiVersions(TypedDict):
    mastodon: int


class InstanceV2Contact(TypedDict):
    email: str
    account: Optional[Account]


class InstanceV2(TypedDict):
    domain: str
    title: str
    version: str
    source_url: Url
    description: str
    usage: InstanceV2Usage
    thumbnail: InstanceV2Thumbnail
    icon: Nothing
    languages: List[str]
    configuration: InstanceV2Configuration
    registrations: InstanceV2Registrations
    api_versions: InstanceV2ApiVersions
    contact: InstanceV2Contact
    rules: Rules
    announcements: int


class Invitation(TypedDict):
    code: str
    url: str
    account_id: Optional[Id]
    created_at: Time
    expires_at: Optional[Time]
    max_uses: Optional[int]
    uses: int
    valid: bool
    comment: str


IpBlockSeverity = Literal['sign_up_requires_approval', 'sign_up_block', 'no_access']


class ListedToken(TypedDict):
    id: str
    client: Optional[str]
    scopes: str
    created_at: Time
    browser: Optional[str]
    system: Optional[str]
    network: Optional[str]
    last_used_at: Optional[Time]
    current: bool


class Marker(TypedDict):
    last_read_id: Id
    version: int
    updated_at: Time


class Markers(TypedDict, total=False):
    home: Marker
    notifications: Marker


class MediaAttachmentMetaFocus(TypedDict):
    x: float
    y: float


class _MediaAttachmentMeta(TypedDict):
    focus: MediaAttachmentMetaFocus


class MediaAttachmentMeta(_MediaAttachmentMeta, total=False):
    """What is known: of a picture the two sizes; of a video or a sound also its length, as far as its file tells it."""

    length: str
    duration: float
    fps: int
    size: str
    width: int
    height: int
    aspect: float
    original: OriginalSize
    small: PictureSize


class _MediaAttachment(TypedDict):
    id: Id
    type: Literal['image', 'video', 'audio']
    url: Optional[str]
    preview_url: Optional[str]
    remote_url: None
    meta: MediaAttachmentMeta
    description: Optional[str]
    blurhash: Optional[str]


class MediaAttachment(_MediaAttachment, total=False):
    preview_remote_url: None
    text_url: None


class Mention(TypedDict):
    id: Id
    username: str
    url: Url
    acct: str


class ModeratorNote(TypedDict):
    id: str
    created_at: Time
    by_account_id: Optional[str]
    by_operator: Optional[str]
    text: str


class NewFactor(TypedDict):
    secret: str
    uri: str
    qr_size: int
    qr_path: str


class NodeInfoSoftware(TypedDict):
    name: Literal['fanfare']
    version: str


class NodeInfoServices(TypedDict):
    inbound: Nothing
    outbound: Nothing


class _NodeInfoUsage(TypedDict):
    users: Dict[str, Count]


class NodeInfoUsage(_NodeInfoUsage, total=False):
    localPosts: Count


class NodeInfoMetadataUpstream(TypedDict):
    name: Literal['mastodon']


class _NodeInfoMetadata(TypedDict):
    upstream: NodeInfoMetadataUpstream


class NodeInfoMetadata(_NodeInfoMetadata, total=False):
    commit: str
    commit_time: str


class NodeInfo(TypedDict):
    version: Literal['2.0']
    software: NodeInfoSoftware
    protocols: List[str]
    services: NodeInfoServices
    usage: NodeInfoUsage
    openRegistrations: bool
    metadata: NodeInfoMetadata


class NodeInfoLinksLinks(TypedDict):
    rel: str
    href: Url


class NodeInfoLinks(TypedDict):
    links: List[NodeInfoLinksLinks]


Nothing = List[Any]


class _Notification(TypedDict):
    id: Id
    type: Literal['follow', 'follow_request', 'favourite', 'reblog', 'mention', 'quote', 'update', 'quoted_update', 'status', 'poll', 'moderation_warning']
    group_key: str
    created_at: Time
    account: Account


class Notification(_Notification, total=False):
    status: Status
    moderation_warning: AccountWarning


class _NotificationGroup(TypedDict):
    group_key: str
    notifications_count: int
    type: Literal['follow', 'follow_request', 'favourite', 'reblog', 'mention', 'quote', 'update', 'quoted_update', 'status', 'poll', 'moderation_warning']
    most_recent_notification_id: int
    sample_account_ids: List[Id]


class NotificationGroup(_NotificationGroup, total=False):
    page_min_id: Id
    page_max_id: Id
    latest_page_notification_at: Time
    status_id: Id
    moderation_warning: AccountWarning


class NotificationPolicySummary(TypedDict):
    pending_requests_count: int
    pending_notifications_count: Count


class NotificationPolicy(TypedDict):
    for_not_following: Literal['accept', 'filter', 'drop']
    for_not_followers: Literal['accept', 'filter', 'drop']
    for_new_accounts: Literal['accept', 'filter', 'drop']
    for_private_mentions: Literal['accept', 'filter', 'drop']
    for_limited_accounts: Literal['accept', 'filter', 'drop']
    summary: NotificationPolicySummary


class _NotificationRequest(TypedDict):
    id: Id
    created_at: Time
    updated_at: Time
    account: Account
    notifications_count: str


class NotificationRequest(_NotificationRequest, total=False):
    last_status: Status


class OriginalSize(TypedDict, total=False):
    """Of a picture its size; of a video or a sound what is known."""

    width: int
    height: int
    size: str
    aspect: float
    frame_rate: str
    duration: float
    bitrate: int


class PartialAccount(TypedDict):
    id: Id
    acct: str
    locked: bool
    bot: bool
    url: str
    avatar: str
    avatar_static: str


class PictureSize(TypedDict):
    width: int
    height: int
    size: str
    aspect: float


class Place(TypedDict):
    lat: float
    long: float
    name: Optional[str]


class PollOptions(TypedDict):
    title: str
    votes_count: Optional[int]


class _Poll(TypedDict):
    id: Id
    expires_at: Time
    expired: bool
    multiple: bool
    votes_count: Count
    voters_count: Count
    options: List[PollOptions]
    emojis: CustomEmojis


class Poll(_Poll, total=False):
    voted: bool
    own_votes: List[int]


class PollLimits(TypedDict):
    max_options: Count
    max_characters_per_option: Count
    min_expiration: Count
    max_expiration: Count


Preferences = TypedDict('Preferences', {'posting:default:visibility': 'Visibility', 'posting:default:sensitive': 'bool', 'posting:default:language': 'Optional[str]', 'posting:default:quote_policy': "Literal['public', 'followers', 'nobody']", 'reading:expand:media': "Literal['default', 'show_all', 'hide_all']", 'reading:expand:spoilers': 'bool', 'reading:autoplay:gifs': 'bool', 'reading:aggregate:reblogs': 'bool'}, total=False)


class ProfileField(TypedDict):
    name: str
    value: str
    verified_at: None


PushAlerts = TypedDict('PushAlerts', {'mention': 'bool', 'quote': 'bool', 'status': 'bool', 'reblog': 'bool', 'follow': 'bool', 'follow_request': 'bool', 'favourite': 'bool', 'poll': 'bool', 'update': 'bool', 'quoted_update': 'bool', 'admin.sign_up': 'bool', 'admin.report': 'bool'}, total=False)


class PushData(TypedDict, total=False):
    policy: Literal['all', 'followed', 'follower', 'none']
    alerts: PushAlerts


class Quote(TypedDict):
    """What a quote shows: the quoted status, or why it cannot be shown."""

    state: Literal['pending', 'accepted', 'rejected', 'revoked', 'deleted', 'unauthorized', 'blocked_account', 'blocked_domain', 'muted_account']
    quoted_status: Optional[Status]


QuotePolicy = Literal['public', 'followers', 'nobody']


class RecoveryCodes(TypedDict):
    recovery_codes: List[str]


class Relationship(TypedDict):
    id: Id
    following: bool
    showing_reblogs: bool
    notifying: bool
    languages: Optional[List[str]]
    followed_by: bool
    blocking: bool
    blocked_by: bool
    muting: bool
    muting_notifications: bool
    muting_expires_at: Optional[Time]
    requested: bool
    requested_by: bool
    domain_blocking: bool
    endorsed: bool
    note: str


class RelationshipOrErrorItem(TypedDict):
    id: str
    error: str


RelationshipOrError = Union["Relationship", RelationshipOrErrorItem]


class Report(TypedDict):
    id: str
    action_taken: bool
    action_taken_at: None
    category: Literal['spam', 'legal', 'violation', 'other']
    comment: str
    forwarded: bool
    created_at: Time
    status_ids: List[Id]
    rule_ids: Optional[List[Id]]
    target_account: Account


class Role(TypedDict):
    id: Literal['-99', '1', '2', '3']
    name: Literal['', 'Moderator', 'Admin', 'Owner']
    permissions: str
    color: str
    highlighted: bool


class RuleTranslationsValue(TypedDict):
    text: str
    hint: str


class Rule(TypedDict):
    id: Id
    text: str
    hint: str
    translations: Dict[str, RuleTranslationsValue]


Rules = List["Rule"]


class ScheduledStatus(TypedDict):
    id: Id
    scheduled_at: Time
    params: StatusParams
    media_attachments: List[MediaAttachment]


class Search(TypedDict):
    accounts: List[Account]
    statuses: List[Status]
    hashtags: List[Tag]


class ShallowQuote(TypedDict):
    """A quote inside a quoted or reposted status: by its id alone."""

    state: Literal['pending', 'accepted', 'rejected', 'revoked', 'deleted', 'unauthorized', 'blocked_account', 'blocked_domain', 'muted_account']
    quoted_status_id: Optional[Id]


Signal = Literal['links', 'mentions', 'same_text']


class SiteText(TypedDict):
    updated_at: Optional[Time]
    content: str


class StatusEditPollOptions(TypedDict):
    title: str


class StatusEditPoll(TypedDict):
    """Of a status with a poll only."""

    options: List[StatusEditPollOptions]


class _StatusEdit(TypedDict):
    content: str
    spoiler_text: str
    sensitive: bool
    created_at: Time
    account: Account
    media_attachments: List[MediaAttachment]
    emojis: CustomEmojis


class StatusEdit(_StatusEdit, total=False):
    quote: Quote
    poll: StatusEditPoll


class StatusFieldsQuoteApproval(TypedDict):
    automatic: List[Literal['public', 'followers', 'following', 'unsupported_policy']]
    manual: List[Literal['public', 'followers', 'following', 'unsupported_policy']]
    current_user: Literal['automatic', 'manual', 'denied', 'unknown']


class StatusFieldsApplication(TypedDict):
    name: str
    website: Optional[str]


class _StatusFields(TypedDict):
    id: Id
    created_at: Time
    in_reply_to_id: Optional[Id]
    in_reply_to_account_id: Optional[Id]
    sensitive: bool
    spoiler_text: str
    visibility: Visibility
    language: Optional[str]
    uri: Url
    url: Optional[Url]
    replies_count: Count
    reblogs_count: Count
    favourites_count: Count
    quotes_count: Count
    quote_approval: StatusFieldsQuoteApproval
    edited_at: Optional[Time]
    content: Html
    application: Optional[StatusFieldsApplication]
    account: Account
    media_attachments: List[MediaAttachment]
    mentions: List[Mention]
    tags: List[StatusTag]
    emojis: CustomEmojis
    card: None
    poll: Optional[Poll]


class StatusFields(_StatusFields, total=False):
    favourited: bool
    reblogged: bool
    muted: bool
    bookmarked: bool
    pinned: bool
    filtered: List[FilterResult]
    place: Optional[Place]
    article: Article
    deleted: bool


class StatusParamsPoll(TypedDict):
    options: List[str]
    expires_in: int
    multiple: bool
    hide_totals: bool


class StatusParams(TypedDict):
    """The parameters of the request."""

    text: str
    poll: Optional[StatusParamsPoll]
    media_ids: Optional[List[Id]]
    sensitive: Optional[bool]
    spoiler_text: Optional[str]
    visibility: Optional[str]
    language: Optional[str]
    scheduled_at: None
    idempotency: None
    with_rate_limit: bool
    in_reply_to_id: Optional[int]
    application_id: None
    quoted_status_id: Optional[str]
    quote_approval_policy: Literal['public', 'followers', 'nobody', None]


class StatusSource(TypedDict):
    id: Id
    text: str
    spoiler_text: str


class StatusTag(TypedDict):
    name: str
    url: Url


class Suggestion(TypedDict):
    source: Literal['past_interactions', 'global']
    sources: List[Literal['friends_of_friends', 'most_followed']]
    account: Account


class TagHistory(TypedDict):
    day: str
    uses: str
    accounts: str


class _Tag(TypedDict):
    id: str
    name: str
    url: Url
    history: List[TagHistory]


class Tag(_Tag, total=False):
    following: bool
    featuring: bool


class TermsOfService(TypedDict):
    effective_date: str
    effective: bool
    content: str
    succeeded_by: Optional[str]


Time = str


class Token(TypedDict):
    access_token: str
    token_type: Literal['Bearer']
    scope: str
    created_at: int


Url = str


class UserList(TypedDict):
    id: Id
    title: str
    replies_policy: Literal['followed', 'list', 'none']
    exclusive: bool


Visibility = Literal['public', 'unlisted', 'private', 'direct']


class WebFingerLinks(TypedDict):
    rel: str
    type: str
    href: str


class WebFinger(TypedDict):
    subject: str
    aliases: List[str]
    links: List[WebFingerLinks]


class WebPushSubscription(TypedDict):
    id: int
    endpoint: str
    standard: bool
    alerts: PushAlerts
    server_key: str
    policy: Literal['all', 'followed', 'follower', 'none']


class Account(AccountFields):
    pass


class AccountEntry(AccountFields):
    """An account in a list of followers or followed."""

    relationship_state: Literal['none', 'following', 'follower', 'mutual', 'self', None]
    followed_at: Time


class Application(ApplicationFields):
    pass


class CredentialAccountSource(TypedDict):
    privacy: Visibility
    sensitive: bool
    language: Optional[str]
    note: str
    fields: List[ProfileField]
    follow_requests_count: int
    quote_policy: Literal['public', 'followers', 'nobody']
    aggregate_reblogs: bool
    hide_collections: bool
    discoverable: bool
    indexable: bool
    attribution_domains: List[str]


class CredentialAccount(AccountFields):
    """Your own account."""

    source: CredentialAccountSource
    role: Role


class CredentialApplication(ApplicationFields):
    client_id: str
    client_secret: str
    client_secret_expires_at: Literal[0]


class DeletedStatus(StatusFields):
    """A status that has just been deleted, with its source: so that it can be written again."""

    reblog: Optional[Status]
    quote: Optional[Union[Quote, ShallowQuote]]
    text: str


class MutedAccount(AccountFields):
    mute_expires_at: Optional[Time]


class ServerConfiguration(ConfigurationFields):
    pass


class StatusLimitedBy(TypedDict):
    """In the answer to its author who has just posted it: why it is at most unlisted. Else it is left out."""

    signal: Signal
    reason: str


class _Status(StatusFields):
    reblog: Optional[Status]
    quote: Optional[Union[Quote, ShallowQuote]]


class Status(_Status, total=False):
    limited_by: StatusLimitedBy
