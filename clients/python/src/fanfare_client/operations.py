"""The calls of the API, by their operationIds in openapi.yaml.

Generated from openapi.yaml by clients/generate.py: change that file, and run it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from .page import AsyncPage, Page
from .types import (
    Account,
    AccountEntry,
    AccountSelection,
    AccountWarning,
    Activity,
    Address,
    AdminAccount,
    AdminEmailDomainBlock,
    AdminIpBlock,
    AdminReport,
    AdminUsernameBlock,
    Announcement,
    Application,
    ArticleGroup,
    AuditLog,
    AuthorizationServer,
    Availability,
    Challenge,
    Context,
    Conversation,
    Count,
    CredentialAccount,
    CredentialApplication,
    Cursor,
    CustomEmoji,
    DeletedStatus,
    Empty,
    Factor,
    FamiliarFollowers,
    FeaturedTag,
    Filter,
    FilterContexts,
    FilterKeyword,
    FilterStatus,
    GroupName,
    GroupedNotifications,
    HeldStatus,
    Id,
    InstanceV1,
    InstanceV2,
    Invitation,
    IpBlockSeverity,
    ListedToken,
    Markers,
    MediaAttachment,
    ModeratorNote,
    MutedAccount,
    NewFactor,
    NodeInfo,
    NodeInfoLinks,
    Notification,
    NotificationPolicy,
    NotificationRequest,
    Poll,
    Preferences,
    PushData,
    QuotePolicy,
    RecoveryCodes,
    Relationship,
    RelationshipOrError,
    Report,
    Role,
    Rules,
    ScheduledStatus,
    Search,
    SiteText,
    Status,
    StatusEdit,
    StatusSource,
    Suggestion,
    Tag,
    TermsOfService,
    Token,
    Upload,
    UserList,
    Visibility,
    WebFinger,
    WebPushSubscription,
)

# Method, path and flags: k takes an Idempotency-Key, s may be repeated, l is a page, b answers bytes, t text.
OPERATIONS = {
    'createApp': ('POST', '/api/v1/apps', ''),
    'verifyApp': ('GET', '/api/v1/apps/verify_credentials', 's'),
    'createToken': ('POST', '/oauth/token', ''),
    'revokeToken': ('POST', '/oauth/revoke', 's'),
    'showAuthorizationServer': ('GET', '/.well-known/oauth-authorization-server', 's'),
    'createAccount': ('POST', '/api/v1/accounts', 'k'),
    'listAccounts': ('GET', '/api/v1/accounts', 's'),
    'changePassword': ('POST', '/api/v1/accounts/password', ''),
    'showAddress': ('GET', '/api/v1/accounts/email', 's'),
    'changeAddress': ('POST', '/api/v1/accounts/email', ''),
    'sendConfirmation': ('POST', '/api/v1/emails/confirmations', ''),
    'checkConfirmation': ('GET', '/api/v1/emails/check_confirmation', 's'),
    'deleteAccount': ('POST', '/api/v1/accounts/delete', ''),
    'listTokens': ('GET', '/api/v1/tokens', 's'),
    'endToken': ('DELETE', '/api/v1/tokens/{id}', 's'),
    'listAllTokens': ('POST', '/api/v1/tokens/list', ''),
    'endOtherTokens': ('POST', '/api/v1/tokens/revoke_others', ''),
    'endAnyToken': ('POST', '/api/v1/tokens/{id}/revoke', 's'),
    'showChallenge': ('GET', '/api/v1/accounts/challenge', 's'),
    'showFactor': ('GET', '/api/v1/factor', 's'),
    'beginFactor': ('POST', '/api/v1/factor', ''),
    'enableFactor': ('POST', '/api/v1/factor/enable', ''),
    'confirmFactor': ('POST', '/api/v1/factor/confirm', ''),
    'renewCodes': ('POST', '/api/v1/factor/codes', ''),
    'disableFactor': ('POST', '/api/v1/factor/disable', ''),
    'checkAvailability': ('GET', '/api/v1/accounts/available', 's'),
    'verifyCredentials': ('GET', '/api/v1/accounts/verify_credentials', 's'),
    'updateCredentials': ('PATCH', '/api/v1/accounts/update_credentials', 's'),
    'lookupAccount': ('GET', '/api/v1/accounts/lookup', 's'),
    'searchAccounts': ('GET', '/api/v1/accounts/search', 's'),
    'showAccount': ('GET', '/api/v1/accounts/{id}', 's'),
    'listAccountStatuses': ('GET', '/api/v1/accounts/{id}/statuses', 'sl'),
    'listAccountComments': ('GET', '/api/v1/accounts/{id}/comments', 'sl'),
    'listRelationships': ('GET', '/api/v1/accounts/relationships', 's'),
    'listFamiliarFollowers': ('GET', '/api/v1/accounts/familiar_followers', 's'),
    'listFollowers': ('GET', '/api/v1/accounts/{id}/followers', 'sl'),
    'listFollowing': ('GET', '/api/v1/accounts/{id}/following', 'sl'),
    'listCommonFollowing': ('GET', '/api/v1/accounts/{id}/common_following', 'sl'),
    'followAccount': ('POST', '/api/v1/accounts/{id}/follow', 's'),
    'unfollowAccount': ('POST', '/api/v1/accounts/{id}/unfollow', 's'),
    'removeFollower': ('POST', '/api/v1/accounts/{id}/remove_from_followers', 's'),
    'blockAccount': ('POST', '/api/v1/accounts/{id}/block', 's'),
    'unblockAccount': ('POST', '/api/v1/accounts/{id}/unblock', 's'),
    'muteAccount': ('POST', '/api/v1/accounts/{id}/mute', 's'),
    'unmuteAccount': ('POST', '/api/v1/accounts/{id}/unmute', 's'),
    'noteAccount': ('POST', '/api/v1/accounts/{id}/note', 's'),
    'endorseAccount': ('POST', '/api/v1/accounts/{id}/endorse', 's'),
    'unendorseAccount': ('POST', '/api/v1/accounts/{id}/unendorse', 's'),
    'listEndorsements': ('GET', '/api/v1/endorsements', 'sl'),
    'listEndorsementsOf': ('GET', '/api/v1/accounts/{id}/endorsements', 'sl'),
    'listFeaturedTags': ('GET', '/api/v1/featured_tags', 's'),
    'featureTag': ('POST', '/api/v1/featured_tags', ''),
    'listFeaturedTagSuggestions': ('GET', '/api/v1/featured_tags/suggestions', 's'),
    'unfeatureTag': ('DELETE', '/api/v1/featured_tags/{id}', 's'),
    'listFeaturedTagsOf': ('GET', '/api/v1/accounts/{id}/featured_tags', 's'),
    'featureTagByName': ('POST', '/api/v1/tags/{tag}/feature', 's'),
    'unfeatureTagByName': ('POST', '/api/v1/tags/{tag}/unfeature', 's'),
    'listFollowedTags': ('GET', '/api/v1/followed_tags', 'sl'),
    'followTag': ('POST', '/api/v1/tags/{tag}/follow', 's'),
    'unfollowTag': ('POST', '/api/v1/tags/{tag}/unfollow', 's'),
    'listFollowRequests': ('GET', '/api/v1/follow_requests', 'sl'),
    'authorizeFollowRequest': ('POST', '/api/v1/follow_requests/{id}/authorize', ''),
    'rejectFollowRequest': ('POST', '/api/v1/follow_requests/{id}/reject', ''),
    'createReport': ('POST', '/api/v1/reports', ''),
    'listAdminAccounts': ('GET', '/api/v1/admin/accounts', 'sl'),
    'listAdminAccountsV2': ('GET', '/api/v2/admin/accounts', 'sl'),
    'showAdminAccount': ('GET', '/api/v1/admin/accounts/{id}', 's'),
    'deleteAdminAccount': ('DELETE', '/api/v1/admin/accounts/{id}', 's'),
    'actOnAccount': ('POST', '/api/v1/admin/accounts/{id}/action', ''),
    'approveAccount': ('POST', '/api/v1/admin/accounts/{id}/approve', ''),
    'rejectAccount': ('POST', '/api/v1/admin/accounts/{id}/reject', ''),
    'enableAccount': ('POST', '/api/v1/admin/accounts/{id}/enable', ''),
    'unsilenceAccount': ('POST', '/api/v1/admin/accounts/{id}/unsilence', ''),
    'unsensitiveAccount': ('POST', '/api/v1/admin/accounts/{id}/unsensitive', ''),
    'unsuspendAccount': ('POST', '/api/v1/admin/accounts/{id}/unsuspend', ''),
    'listAdminReports': ('GET', '/api/v1/admin/reports', 'sl'),
    'showAdminReport': ('GET', '/api/v1/admin/reports/{id}', 's'),
    'updateAdminReport': ('PUT', '/api/v1/admin/reports/{id}', 's'),
    'assignReport': ('POST', '/api/v1/admin/reports/{id}/assign_to_self', ''),
    'unassignReport': ('POST', '/api/v1/admin/reports/{id}/unassign', ''),
    'resolveReport': ('POST', '/api/v1/admin/reports/{id}/resolve', ''),
    'reopenReport': ('POST', '/api/v1/admin/reports/{id}/reopen', ''),
    'deleteAdminStatus': ('POST', '/api/v1/admin/statuses/{id}/delete', ''),
    'markAdminStatus': ('POST', '/api/v1/admin/statuses/{id}/sensitive', ''),
    'listAppeals': ('GET', '/api/v1/admin/appeals', 'sl'),
    'listModeratorNotes': ('GET', '/api/v1/admin/accounts/{id}/notes', 's'),
    'addModeratorNote': ('POST', '/api/v1/admin/accounts/{id}/notes', ''),
    'removeModeratorNote': ('DELETE', '/api/v1/admin/accounts/{id}/notes/{name}', 's'),
    'approveAppeal': ('POST', '/api/v1/admin/accounts/{id}/appeals/{warning}/approve', ''),
    'rejectAppeal': ('POST', '/api/v1/admin/accounts/{id}/appeals/{warning}/reject', ''),
    'listAllHeldStatuses': ('GET', '/api/v1/admin/held_statuses', 'sl'),
    'approveHeldStatus': ('POST', '/api/v1/admin/accounts/{id}/held_statuses/{held}/approve', ''),
    'rejectHeldStatus': ('POST', '/api/v1/admin/accounts/{id}/held_statuses/{held}/reject', ''),
    'listSelections': ('GET', '/api/v1/admin/selections', 's'),
    'createSelection': ('POST', '/api/v1/admin/selections', ''),
    'showSelection': ('GET', '/api/v1/admin/selections/{id}', 's'),
    'actOnSelection': ('POST', '/api/v1/admin/selections/{id}/act', ''),
    'undoSelection': ('POST', '/api/v1/admin/selections/{id}/undo', ''),
    'listIpBlocks': ('GET', '/api/v1/admin/ip_blocks', 'sl'),
    'createIpBlock': ('POST', '/api/v1/admin/ip_blocks', ''),
    'showIpBlock': ('GET', '/api/v1/admin/ip_blocks/{id}', 's'),
    'updateIpBlock': ('PUT', '/api/v1/admin/ip_blocks/{id}', 's'),
    'deleteIpBlock': ('DELETE', '/api/v1/admin/ip_blocks/{id}', 's'),
    'listMailBlocks': ('GET', '/api/v1/admin/email_domain_blocks', 'sl'),
    'createMailBlock': ('POST', '/api/v1/admin/email_domain_blocks', ''),
    'showMailBlock': ('GET', '/api/v1/admin/email_domain_blocks/{id}', 's'),
    'deleteMailBlock': ('DELETE', '/api/v1/admin/email_domain_blocks/{id}', 's'),
    'listNameBlocks': ('GET', '/api/v1/admin/username_blocks', 'sl'),
    'createNameBlock': ('POST', '/api/v1/admin/username_blocks', ''),
    'showNameBlock': ('GET', '/api/v1/admin/username_blocks/{id}', 's'),
    'deleteNameBlock': ('DELETE', '/api/v1/admin/username_blocks/{id}', 's'),
    'setRole': ('PUT', '/api/v1/admin/accounts/{id}/role', 's'),
    'listAuditLog': ('GET', '/api/v1/admin/audit_log', 's'),
    'listInvitations': ('GET', '/api/v1/invitations', 's'),
    'createInvitation': ('POST', '/api/v1/invitations', ''),
    'revokeInvitation': ('DELETE', '/api/v1/invitations/{name}', 's'),
    'listWarnings': ('GET', '/api/v1/warnings', 'sl'),
    'appealWarning': ('POST', '/api/v1/warnings/{id}/appeal', ''),
    'followAccounts': ('POST', '/api/v1/accounts/follow', 's'),
    'unfollowAccounts': ('POST', '/api/v1/accounts/unfollow', 's'),
    'listBlocks': ('GET', '/api/v1/blocks', 'sl'),
    'listMutes': ('GET', '/api/v1/mutes', 'sl'),
    'listStatuses': ('GET', '/api/v1/statuses', 's'),
    'createStatus': ('POST', '/api/v1/statuses', 'k'),
    'showStatus': ('GET', '/api/v1/statuses/{id}', 's'),
    'editStatus': ('PUT', '/api/v1/statuses/{id}', 's'),
    'deleteStatus': ('DELETE', '/api/v1/statuses/{id}', 's'),
    'showSource': ('GET', '/api/v1/statuses/{id}/source', 's'),
    'listEdits': ('GET', '/api/v1/statuses/{id}/history', 's'),
    'showContext': ('GET', '/api/v1/statuses/{id}/context', 's'),
    'favouriteStatus': ('POST', '/api/v1/statuses/{id}/favourite', 's'),
    'unfavouriteStatus': ('POST', '/api/v1/statuses/{id}/unfavourite', 's'),
    'bookmarkStatus': ('POST', '/api/v1/statuses/{id}/bookmark', 's'),
    'unbookmarkStatus': ('POST', '/api/v1/statuses/{id}/unbookmark', 's'),
    'pinStatus': ('POST', '/api/v1/statuses/{id}/pin', 's'),
    'unpinStatus': ('POST', '/api/v1/statuses/{id}/unpin', 's'),
    'muteStatus': ('POST', '/api/v1/statuses/{id}/mute', 's'),
    'unmuteStatus': ('POST', '/api/v1/statuses/{id}/unmute', 's'),
    'listConversations': ('GET', '/api/v1/conversations', 'sl'),
    'deleteConversation': ('DELETE', '/api/v1/conversations/{id}', 's'),
    'readConversation': ('POST', '/api/v1/conversations/{id}/read', 's'),
    'unreadConversation': ('POST', '/api/v1/conversations/{id}/unread', 's'),
    'reblogStatus': ('POST', '/api/v1/statuses/{id}/reblog', 'k'),
    'unreblogStatus': ('POST', '/api/v1/statuses/{id}/unreblog', 's'),
    'listFavouritedBy': ('GET', '/api/v1/statuses/{id}/favourited_by', 'sl'),
    'listRebloggedBy': ('GET', '/api/v1/statuses/{id}/reblogged_by', 'sl'),
    'listQuotes': ('GET', '/api/v1/statuses/{id}/quotes', 'sl'),
    'revokeQuote': ('POST', '/api/v1/statuses/{id}/quotes/{name}/revoke', 's'),
    'setInteractionPolicy': ('PUT', '/api/v1/statuses/{id}/interaction_policy', 's'),
    'listComments': ('GET', '/api/v1/statuses/{id}/comments', 'sl'),
    'createComment': ('POST', '/api/v1/statuses/{id}/comments', 'k'),
    'listFavourites': ('GET', '/api/v1/favourites', 'sl'),
    'listBookmarks': ('GET', '/api/v1/bookmarks', 'sl'),
    'exportArchive': ('GET', '/api/v1/exports/archive.zip', 'sb'),
    'exportFollows': ('GET', '/api/v1/exports/follows.csv', 'sb'),
    'exportBlocks': ('GET', '/api/v1/exports/blocks.csv', 'sb'),
    'exportMutes': ('GET', '/api/v1/exports/mutes.csv', 'sb'),
    'exportLists': ('GET', '/api/v1/exports/lists.csv', 'sb'),
    'exportBookmarks': ('GET', '/api/v1/exports/bookmarks.csv', 'sb'),
    'showHome': ('GET', '/api/v1/timelines/home', 'sl'),
    'listFilters': ('GET', '/api/v2/filters', 's'),
    'createFilter': ('POST', '/api/v2/filters', ''),
    'showFilter': ('GET', '/api/v2/filters/{id}', 's'),
    'updateFilter': ('PUT', '/api/v2/filters/{id}', 's'),
    'deleteFilter': ('DELETE', '/api/v2/filters/{id}', 's'),
    'listFilterKeywords': ('GET', '/api/v2/filters/{id}/keywords', 's'),
    'addFilterKeyword': ('POST', '/api/v2/filters/{id}/keywords', ''),
    'showFilterKeyword': ('GET', '/api/v2/filters/keywords/{id}', 's'),
    'updateFilterKeyword': ('PUT', '/api/v2/filters/keywords/{id}', 's'),
    'deleteFilterKeyword': ('DELETE', '/api/v2/filters/keywords/{id}', 's'),
    'listFilterStatuses': ('GET', '/api/v2/filters/{id}/statuses', 's'),
    'addFilterStatus': ('POST', '/api/v2/filters/{id}/statuses', ''),
    'showFilterStatus': ('GET', '/api/v2/filters/statuses/{id}', 's'),
    'deleteFilterStatus': ('DELETE', '/api/v2/filters/statuses/{id}', 's'),
    'listLists': ('GET', '/api/v1/lists', 's'),
    'createList': ('POST', '/api/v1/lists', ''),
    'showList': ('GET', '/api/v1/lists/{id}', 's'),
    'updateList': ('PUT', '/api/v1/lists/{id}', 's'),
    'deleteList': ('DELETE', '/api/v1/lists/{id}', 's'),
    'listListAccounts': ('GET', '/api/v1/lists/{id}/accounts', 'sl'),
    'addListAccounts': ('POST', '/api/v1/lists/{id}/accounts', ''),
    'removeListAccounts': ('DELETE', '/api/v1/lists/{id}/accounts', 's'),
    'listListsWith': ('GET', '/api/v1/accounts/{id}/lists', 's'),
    'showListTimeline': ('GET', '/api/v1/timelines/list/{id}', 'sl'),
    'showPublic': ('GET', '/api/v1/timelines/public', 'sl'),
    'showTag': ('GET', '/api/v1/timelines/tag/{tag}', 'sl'),
    'showTagEntity': ('GET', '/api/v1/tags/{tag}', 's'),
    'listTrendingTags': ('GET', '/api/v1/trends/tags', 's'),
    'listTrends': ('GET', '/api/v1/trends/statuses', 's'),
    'listArticles': ('GET', '/api/v1/articles', 'sl'),
    'createArticle': ('POST', '/api/v1/articles', 'k'),
    'listBestArticles': ('GET', '/api/v1/articles/best', 's'),
    'showArticle': ('GET', '/api/v1/articles/{id}', 's'),
    'voteForArticle': ('POST', '/api/v1/articles/{id}/vote', ''),
    'listVoters': ('GET', '/api/v1/articles/{id}/voters', 'sl'),
    'putArticleIntoGroup': ('PUT', '/api/v1/articles/{id}/groups/{name}', 's'),
    'takeArticleOutOfGroup': ('DELETE', '/api/v1/articles/{id}/groups/{name}', 's'),
    'listGroups': ('GET', '/api/v1/groups', 's'),
    'listArticlesOfGroup': ('GET', '/api/v1/groups/{name}/articles', 'sl'),
    'showMarkers': ('GET', '/api/v1/markers', 's'),
    'setMarkers': ('POST', '/api/v1/markers', 's'),
    'showPushSubscription': ('GET', '/api/v1/push/subscription', 's'),
    'createPushSubscription': ('POST', '/api/v1/push/subscription', ''),
    'updatePushSubscription': ('PUT', '/api/v1/push/subscription', 's'),
    'deletePushSubscription': ('DELETE', '/api/v1/push/subscription', 's'),
    'listNotifications': ('GET', '/api/v1/notifications', 'sl'),
    'countNotifications': ('GET', '/api/v1/notifications/unread_count', 's'),
    'clearNotifications': ('POST', '/api/v1/notifications/clear', ''),
    'showNotification': ('GET', '/api/v1/notifications/{id}', 's'),
    'dismissNotification': ('POST', '/api/v1/notifications/{id}/dismiss', ''),
    'showNotificationPolicy': ('GET', '/api/v2/notifications/policy', 's'),
    'updateNotificationPolicy': ('PATCH', '/api/v2/notifications/policy', 's'),
    'putNotificationPolicy': ('PUT', '/api/v2/notifications/policy', 's'),
    'listNotificationRequests': ('GET', '/api/v1/notifications/requests', 'sl'),
    'showMergedNotificationRequests': ('GET', '/api/v1/notifications/requests/merged', 's'),
    'acceptNotificationRequests': ('POST', '/api/v1/notifications/requests/accept', ''),
    'dismissNotificationRequests': ('POST', '/api/v1/notifications/requests/dismiss', ''),
    'showNotificationRequest': ('GET', '/api/v1/notifications/requests/{id}', 's'),
    'acceptNotificationRequest': ('POST', '/api/v1/notifications/requests/{id}/accept', ''),
    'dismissNotificationRequest': ('POST', '/api/v1/notifications/requests/{id}/dismiss', ''),
    'listGroupedNotifications': ('GET', '/api/v2/notifications', 'sl'),
    'countGroupedNotifications': ('GET', '/api/v2/notifications/unread_count', 's'),
    'clearGroupedNotifications': ('POST', '/api/v2/notifications/clear', ''),
    'showNotificationGroup': ('GET', '/api/v2/notifications/{name}', 's'),
    'listNotificationGroupAccounts': ('GET', '/api/v2/notifications/{name}/accounts', 'sl'),
    'dismissNotificationGroup': ('POST', '/api/v2/notifications/{name}/dismiss', ''),
    'dismissSuggestion': ('DELETE', '/api/v1/suggestions/{id}', 's'),
    'listSuggestions': ('GET', '/api/v2/suggestions', 's'),
    'listDirectory': ('GET', '/api/v1/directory', 's'),
    'search': ('GET', '/api/v2/search', 's'),
    'createStreamingTicket': ('POST', '/api/v1/streaming/tickets', 's'),
    'showInstance': ('GET', '/api/v1/instance', 's'),
    'showInstanceV2': ('GET', '/api/v2/instance', 's'),
    'listActivity': ('GET', '/api/v1/instance/activity', 's'),
    'showWebFinger': ('GET', '/.well-known/webfinger', 's'),
    'listNodeInfo': ('GET', '/.well-known/nodeinfo', 's'),
    'showNodeInfo': ('GET', '/nodeinfo/2.0', 's'),
    'createMedia': ('POST', '/api/v2/media', ''),
    'showMedia': ('GET', '/api/v1/media/{id}', 's'),
    'updateMedia': ('PUT', '/api/v1/media/{id}', 's'),
    'deleteMedia': ('DELETE', '/api/v1/media/{id}', 's'),
    'deleteAvatar': ('DELETE', '/api/v1/profile/avatar', 's'),
    'deleteHeader': ('DELETE', '/api/v1/profile/header', 's'),
    'listAnnouncements': ('GET', '/api/v1/announcements', 's'),
    'dismissAnnouncement': ('POST', '/api/v1/announcements/{id}/dismiss', ''),
    'listCustomEmojis': ('GET', '/api/v1/custom_emojis', 's'),
    'showPreferences': ('GET', '/api/v1/preferences', 's'),
    'showPoll': ('GET', '/api/v1/polls/{id}', 's'),
    'votePoll': ('POST', '/api/v1/polls/{id}/votes', ''),
    'listScheduledStatuses': ('GET', '/api/v1/scheduled_statuses', 'sl'),
    'showScheduledStatus': ('GET', '/api/v1/scheduled_statuses/{id}', 's'),
    'updateScheduledStatus': ('PUT', '/api/v1/scheduled_statuses/{id}', 's'),
    'deleteScheduledStatus': ('DELETE', '/api/v1/scheduled_statuses/{id}', 's'),
    'listHeldStatuses': ('GET', '/api/v1/held_statuses', 's'),
    'showHeldStatus': ('GET', '/api/v1/held_statuses/{id}', 's'),
    'deleteHeldStatus': ('DELETE', '/api/v1/held_statuses/{id}', 's'),
    'listRules': ('GET', '/api/v1/instance/rules', 's'),
    'showExtendedDescription': ('GET', '/api/v1/instance/extended_description', 's'),
    'showPrivacyPolicy': ('GET', '/api/v1/instance/privacy_policy', 's'),
    'showTerms': ('GET', '/api/v1/instance/terms_of_service', 's'),
    'showTermsOf': ('GET', '/api/v1/instance/terms_of_service/{id}', 's'),
    'listLanguages': ('GET', '/api/v1/instance/languages', 's'),
}


class UpdateCredentialsFieldsAttributes(TypedDict, total=False):
    name: str
    value: str


class UpdateCredentialsSource(TypedDict, total=False):
    privacy: Visibility
    sensitive: bool
    language: str
    quote_policy: QuotePolicy
    aggregate_reblogs: bool


class CreateStatusMediaAttributes(TypedDict, total=False):
    id: Id
    description: str
    focus: str


class CreateStatusPoll(TypedDict, total=False):
    """Not with pictures. Of a post that is scheduled it ends so long after that is published."""

    options: List[str]
    expires_in: int
    multiple: bool
    hide_totals: bool


class EditStatusPoll(TypedDict, total=False):
    """The poll that it has, or none; 422 otherwise."""

    options: List[str]
    multiple: bool


class EditStatusMediaAttributes(TypedDict, total=False):
    id: Id
    description: str
    focus: str


class CreateFilterKeywordsAttributes(TypedDict, total=False):
    keyword: str
    whole_word: bool
    _destroy: bool


class UpdateFilterKeywordsAttributes(TypedDict, total=False):
    id: Id
    keyword: str
    whole_word: bool
    _destroy: bool


class SetMarkersHome(TypedDict, total=False):
    last_read_id: Id


class SetMarkersNotifications(TypedDict, total=False):
    last_read_id: Id


class CreatePushSubscriptionSubscriptionKeys(TypedDict):
    p256dh: str
    auth: str


class _CreatePushSubscriptionSubscription(TypedDict):
    endpoint: str
    keys: CreatePushSubscriptionSubscriptionKeys


class CreatePushSubscriptionSubscription(_CreatePushSubscriptionSubscription, total=False):
    standard: bool


class CountNotificationsAnswer(TypedDict):
    count: Count


class ShowMergedNotificationRequestsAnswer(TypedDict):
    merged: bool


class CountGroupedNotificationsAnswer(TypedDict):
    count: Count


class CreateStreamingTicketAnswer(TypedDict):
    ticket: str
    expires_in: int


class ListLanguagesAnswer(TypedDict):
    code: str
    name: str


class Calls:
    """One method for each operation."""

    def _call(self, name: str, values: Dict[str, Any], idempotency_key: Optional[str] = None) -> Any:
        raise NotImplementedError

    def create_app(self, *, client_name: str, redirect_uris: str, scopes: Optional[str] = None, website: Optional[str] = None) -> CredentialApplication:
        """Register a client application. Nobody needs to be logged in. `scopes` bounds what its tokens can be for.
        ``POST /api/v1/apps``
        """
        return self._call('createApp', {'client_name': client_name, 'redirect_uris': redirect_uris, 'scopes': scopes, 'website': website})

    def verify_app(self) -> Application:
        """The application of this token. 404 for a token that was made without an application. ``GET
        /api/v1/apps/verify_credentials``
        """
        return self._call('verifyApp', {})

    def create_token(self, *, grant_type: Literal['authorization_code', 'client_credentials', 'password'], client_id: str, client_secret: str, redirect_uri: Optional[str] = None, scope: Optional[str] = None, code: Optional[str] = None, code_verifier: Optional[str] = None, username: Optional[str] = None, password: Optional[str] = None) -> Token:
        """Get a token. Answers to the password grant can be read by no page of another site (no `Access-Control-Allow-
        Origin`), and a request of one is refused with 403. ``POST /oauth/token``
        """
        return self._call('createToken', {'grant_type': grant_type, 'client_id': client_id, 'client_secret': client_secret, 'redirect_uri': redirect_uri, 'scope': scope, 'code': code, 'code_verifier': code_verifier, 'username': username, 'password': password})

    def revoke_token(self, *, token: str, client_id: Optional[str] = None, client_secret: Optional[str] = None) -> Empty:
        """End a token. What is no token, or no more, counts as ended. ``POST /oauth/revoke``"""
        return self._call('revokeToken', {'client_id': client_id, 'client_secret': client_secret, 'token': token})

    def show_authorization_server(self) -> AuthorizationServer:
        """What OAuth can do here. For clients that look for the addresses and grants (RFC 8414). ``GET /.well-
        known/oauth-authorization-server``
        """
        return self._call('showAuthorizationServer', {})

    def create_account(self, *, username: str, email: str, password: str, agreement: bool, invite_code: Optional[str] = None, locale: Optional[str] = None, reason: Optional[str] = None, challenge: Optional[str] = None, nonce: Optional[str] = None, idempotency_key: Optional[str] = None) -> Token:
        """Sign up. With or without the token of an application. 403 when registrations are closed. Where sign-ups need
        approval, the account waits for a moderator, and until then its token is answered 403. ``POST
        /api/v1/accounts``
        """
        return self._call('createAccount', {'username': username, 'email': email, 'password': password, 'agreement': agreement, 'invite_code': invite_code, 'locale': locale, 'reason': reason, 'challenge': challenge, 'nonce': nonce}, idempotency_key)

    def list_accounts(self, *, id: Optional[List[str]] = None) -> List[Account]:
        """Several accounts at once. In the order asked; unknown ids are left out. ``GET /api/v1/accounts``"""
        return self._call('listAccounts', {'id': id})

    def change_password(self, *, current_password: str, password: str) -> Empty:
        """Change your password. Every other token of yours ends within a second, open streams with it. ``POST
        /api/v1/accounts/password``
        """
        return self._call('changePassword', {'current_password': current_password, 'password': password})

    def show_address(self) -> Address:
        """Your e-mail address, shortened. Of each address the first character and the domain. ``GET
        /api/v1/accounts/email``
        """
        return self._call('showAddress', {})

    def change_address(self, *, current_password: str, email: str) -> Empty:
        """Change your e-mail address. Where the server sends mails, a link goes to the new address, and the change
        takes effect when it is used, within a day. The former address gets a notice with a link that restores it
        within seven days; until then the address cannot be changed again (403). Elsewhere the change takes effect
        at once. Ten requests in a day, and three mails to an address in an hour. ``POST /api/v1/accounts/email``
        """
        return self._call('changeAddress', {'current_password': current_password, 'email': email})

    def send_confirmation(self, *, email: Optional[str] = None) -> Empty:
        """Send the mail that confirms your address again. 403 when the address waits for no confirmation. Three mails
        go to an address in an hour. With another `email` the link goes there, and the account gets that address
        when it is used; an account that works without a confirmation may do so for a day. ``POST
        /api/v1/emails/confirmations``
        """
        return self._call('sendConfirmation', {'email': email})

    def check_confirmation(self) -> bool:
        """Whether your address waits for no confirmation. Also true on a server that sends no mails. ``GET
        /api/v1/emails/check_confirmation``
        """
        return self._call('checkConfirmation', {})

    def delete_account(self, *, current_password: str) -> Empty:
        """Delete your account, for your password. For good. From the answer on nobody is shown the account or what it
        has written. Within a second none of its tokens is good, and its open streams end. Jobs then erase what it
        has. Its name is never given to anybody again. ``POST /api/v1/accounts/delete``
        """
        return self._call('deleteAccount', {'current_password': current_password})

    def list_tokens(self) -> List[ListedToken]:
        """Your tokens that this application holds. Newest first, at most 200. Those of other applications: `POST
        /api/v1/tokens/list`. ``GET /api/v1/tokens``
        """
        return self._call('listTokens', {})

    def end_token(self, id: str) -> Empty:
        """End one of your tokens that this application holds. Those of other applications: `POST
        /api/v1/tokens/{id}/revoke`. ``DELETE /api/v1/tokens/{id}``
        """
        return self._call('endToken', {'id': id})

    def list_all_tokens(self, *, current_password: str) -> List[ListedToken]:
        """All tokens of your account, for its password. Newest first, at most 200. The tokens of other applications
        are your other sessions: a token alone does not prove that you are there. ``POST /api/v1/tokens/list``
        """
        return self._call('listAllTokens', {'current_password': current_password})

    def end_other_tokens(self, *, current_password: str) -> Empty:
        """End all of your other tokens, for your password. Also those that other applications hold. That of this
        request stays. ``POST /api/v1/tokens/revoke_others``
        """
        return self._call('endOtherTokens', {'current_password': current_password})

    def end_any_token(self, id: str, *, current_password: str) -> Empty:
        """End one of your tokens, for your password. Also one that another application holds. ``POST
        /api/v1/tokens/{id}/revoke``
        """
        return self._call('endAnyToken', {'id': id, 'current_password': current_password})

    def show_challenge(self) -> Challenge:
        """A proof of work for a sign-up. Where `auth.sign-up-challenge` demands one, a sign-up carries `challenge` and
        a `nonce`, at most 32 letters, digits, `-` and `_`, with which the SHA-256 digest of `challenge.nonce` (with
        a dot between) begins with `bits` zero bits. A challenge is good for ten minutes and one try. ``GET
        /api/v1/accounts/challenge``
        """
        return self._call('showChallenge', {})

    def show_factor(self) -> Factor:
        """Your second factor. Without its secrets. ``GET /api/v1/factor``"""
        return self._call('showFactor', {})

    def begin_factor(self, *, current_password: str) -> NewFactor:
        """Begin a second factor. Draws a secret for an authenticator app (TOTP, RFC 6238), for your password. It waits
        ten minutes for its first code. 422 when the account has a second factor. ``POST /api/v1/factor``
        """
        return self._call('beginFactor', {'current_password': current_password})

    def enable_factor(self, *, code: str) -> RecoveryCodes:
        """Enable your second factor. By the first code of the authenticator app. From then on log-ins need a code, and
        the password grant is refused. ``POST /api/v1/factor/enable``
        """
        return self._call('enableFactor', {'code': code})

    def confirm_factor(self, *, code: str) -> Empty:
        """Confirm that it is you. With a code of your second factor, for what answers 403 with `ERR_CODE_NEEDED` in
        `details.code`. It counts for this token, for ten minutes, and for an hour for acts of moderators. ``POST
        /api/v1/factor/confirm``
        """
        return self._call('confirmFactor', {'code': code})

    def renew_codes(self, *, code: str) -> RecoveryCodes:
        """New recovery codes. For a code. The old ones are good no more. ``POST /api/v1/factor/codes``"""
        return self._call('renewCodes', {'code': code})

    def disable_factor(self, *, current_password: str, code: str) -> Empty:
        """Remove your second factor. For your password and a code. ``POST /api/v1/factor/disable``"""
        return self._call('disableFactor', {'current_password': current_password, 'code': code})

    def check_availability(self, *, username: Optional[str] = None, email: Optional[str] = None) -> Availability:
        """Whether a user name or address is free. As it is at the moment: somebody else may be faster. ``GET
        /api/v1/accounts/available``
        """
        return self._call('checkAvailability', {'username': username, 'email': email})

    def verify_credentials(self) -> CredentialAccount:
        """Your own account. With `source`, which only you see: the defaults of your posts, and the profile as you have
        typed it. ``GET /api/v1/accounts/verify_credentials``
        """
        return self._call('verifyCredentials', {})

    def update_credentials(self, *, display_name: Optional[str] = None, note: Optional[str] = None, locked: Optional[bool] = None, bot: Optional[bool] = None, discoverable: Optional[bool] = None, indexable: Optional[bool] = None, fields_attributes: Optional[List[UpdateCredentialsFieldsAttributes]] = None, hide_collections: Optional[bool] = None, attribution_domains: Optional[List[str]] = None, avatar: Optional[Upload] = None, header: Optional[Upload] = None, source: Optional[UpdateCredentialsSource] = None) -> CredentialAccount:
        """Change your profile. What is not said stays as it is. ``PATCH /api/v1/accounts/update_credentials``"""
        return self._call('updateCredentials', {'display_name': display_name, 'note': note, 'locked': locked, 'bot': bot, 'discoverable': discoverable, 'indexable': indexable, 'fields_attributes': fields_attributes, 'hide_collections': hide_collections, 'attribution_domains': attribution_domains, 'avatar': avatar, 'header': header, 'source': source})

    def lookup_account(self, *, acct: str) -> Account:
        """An account by its name. The whole name; `/api/v1/accounts/search` finds parts. ``GET
        /api/v1/accounts/lookup``
        """
        return self._call('lookupAccount', {'acct': acct})

    def search_accounts(self, *, q: str, limit: Optional[int] = None, offset: Optional[int] = None, following: Optional[bool] = None, resolve: Optional[bool] = None) -> List[Account]:
        """Accounts whose name begins so. For completing a name while it is typed. ``GET /api/v1/accounts/search``"""
        return self._call('searchAccounts', {'q': q, 'limit': limit, 'offset': offset, 'following': following, 'resolve': resolve})

    def show_account(self, id: Id) -> Account:
        """An account. Nobody needs to be logged in. A suspended account gets the 404 of one that does not exist. ``GET
        /api/v1/accounts/{id}``
        """
        return self._call('showAccount', {'id': id})

    def list_account_statuses(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, exclude_replies: Optional[bool] = None, exclude_reblogs: Optional[bool] = None, pinned: Optional[bool] = None, only_media: Optional[bool] = None, tagged: Optional[str] = None) -> Page[Status]:
        """Statuses of an account. Those that you may see, without comments. The parameters leave some of them out.
        ``GET /api/v1/accounts/{id}/statuses``
        """
        return self._call('listAccountStatuses', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'exclude_replies': exclude_replies, 'exclude_reblogs': exclude_reblogs, 'pinned': pinned, 'only_media': only_media, 'tagged': tagged})

    def list_account_comments(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Comments by an account. Those that you may see, the newest first, also under statuses that are deleted.
        Replies made as posts are among the statuses of the account. ``GET /api/v1/accounts/{id}/comments``
        """
        return self._call('listAccountComments', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_relationships(self, *, id: Optional[List[Id]] = None) -> List[Relationship]:
        """How you stand to accounts. One for each account that exists. ``GET /api/v1/accounts/relationships``"""
        return self._call('listRelationships', {'id': id})

    def list_familiar_followers(self, *, id: Optional[List[Id]] = None) -> List[FamiliarFollowers]:
        """Followers of accounts whom you follow. For each account, whom you follow of those who follow it. ``GET
        /api/v1/accounts/familiar_followers``
        """
        return self._call('listFamiliarFollowers', {'id': id})

    def list_followers(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AccountEntry]:
        """Who follows an account. Cursors are opaque: take them from the Link header. ``GET
        /api/v1/accounts/{id}/followers``
        """
        return self._call('listFollowers', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_following(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AccountEntry]:
        """Whom an account follows. Cursors are opaque: take them from the Link header. ``GET
        /api/v1/accounts/{id}/following``
        """
        return self._call('listFollowing', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_common_following(self, id: Id, *, with_: Optional[Id] = None, order_of: Optional[Id] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Accounts that two accounts follow. In the order of the follows of one of them. Empty when one of them hides
        whom it follows. ``GET /api/v1/accounts/{id}/common_following``
        """
        return self._call('listCommonFollowing', {'id': id, 'with': with_, 'order_of': order_of, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def follow_account(self, id: Id, *, reblogs: Optional[bool] = None, languages: Optional[List[str]] = None, notify: Optional[bool] = None) -> Relationship:
        """Follow an account. Who is locked is asked: then `requested` is true, and `following` is not. ``POST
        /api/v1/accounts/{id}/follow``
        """
        return self._call('followAccount', {'id': id, 'reblogs': reblogs, 'languages': languages, 'notify': notify})

    def unfollow_account(self, id: Id) -> Relationship:
        """Follow an account no more. It is answered in the same way when you do not follow it. A request to follow is
        taken back. ``POST /api/v1/accounts/{id}/unfollow``
        """
        return self._call('unfollowAccount', {'id': id})

    def remove_follower(self, id: Id) -> Relationship:
        """Make an account follow you no more. It can follow you again. To prevent that, block it. ``POST
        /api/v1/accounts/{id}/remove_from_followers``
        """
        return self._call('removeFollower', {'id': id})

    def block_account(self, id: Id) -> Relationship:
        """Block an account. Ends the follows in both directions. ``POST /api/v1/accounts/{id}/block``"""
        return self._call('blockAccount', {'id': id})

    def unblock_account(self, id: Id) -> Relationship:
        """Block an account no more. The follows that the block has ended do not come back. ``POST
        /api/v1/accounts/{id}/unblock``
        """
        return self._call('unblockAccount', {'id': id})

    def mute_account(self, id: Id, *, notifications: Optional[bool] = None, duration: Optional[int] = None) -> Relationship:
        """Mute an account. Your timelines leave it out, though you may follow it. `duration` gives the mute an end.
        ``POST /api/v1/accounts/{id}/mute``
        """
        return self._call('muteAccount', {'id': id, 'notifications': notifications, 'duration': duration})

    def unmute_account(self, id: Id) -> Relationship:
        """Mute an account no more. It is answered in the same way when you do not mute it. ``POST
        /api/v1/accounts/{id}/unmute``
        """
        return self._call('unmuteAccount', {'id': id})

    def note_account(self, id: Id, *, comment: Optional[str] = None) -> Relationship:
        """Note something about an account. You alone see it. An empty comment ends it. Notes about at most 500
        accounts. ``POST /api/v1/accounts/{id}/note``
        """
        return self._call('noteAccount', {'id': id, 'comment': comment})

    def endorse_account(self, id: Id) -> Relationship:
        """Recommend an account on your profile. You must follow it: the recommendation ends with the follow. At most
        100 accounts. ``POST /api/v1/accounts/{id}/endorse``
        """
        return self._call('endorseAccount', {'id': id})

    def unendorse_account(self, id: Id) -> Relationship:
        """Recommend an account no more. It is answered in the same way when you do not recommend it. ``POST
        /api/v1/accounts/{id}/unendorse``
        """
        return self._call('unendorseAccount', {'id': id})

    def list_endorsements(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Accounts that you recommend. In the order of your follows, newest first. Cursors are opaque: take them from
        the Link header. ``GET /api/v1/endorsements``
        """
        return self._call('listEndorsements', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_endorsements_of(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Accounts that an account recommends. In the order of its follows, newest first. Cursors are opaque: take
        them from the Link header. ``GET /api/v1/accounts/{id}/endorsements``
        """
        return self._call('listEndorsementsOf', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_featured_tags(self) -> List[FeaturedTag]:
        """Hashtags on your profile. With how often your newest posts have them. ``GET /api/v1/featured_tags``"""
        return self._call('listFeaturedTags', {})

    def feature_tag(self, *, name: str) -> FeaturedTag:
        """Show a hashtag on your profile. At most ten; one that is there stays as it is. ``POST
        /api/v1/featured_tags``
        """
        return self._call('featureTag', {'name': name})

    def list_featured_tag_suggestions(self) -> List[Tag]:
        """Hashtags for your profile. Those that you have used most in your newest 200 posts and do not feature, ten at
        most. ``GET /api/v1/featured_tags/suggestions``
        """
        return self._call('listFeaturedTagSuggestions', {})

    def unfeature_tag(self, id: Id) -> Empty:
        """Take a hashtag off your profile. By its id, which `/api/v1/featured_tags` says. ``DELETE
        /api/v1/featured_tags/{id}``
        """
        return self._call('unfeatureTag', {'id': id})

    def list_featured_tags_of(self, id: Id) -> List[FeaturedTag]:
        """Hashtags on a profile. With how often its newest posts have them. ``GET
        /api/v1/accounts/{id}/featured_tags``
        """
        return self._call('listFeaturedTagsOf', {'id': id})

    def feature_tag_by_name(self, tag: str) -> Tag:
        """Show a hashtag on your profile, by its name. At most ten; one that is there stays as it is. ``POST
        /api/v1/tags/{tag}/feature``
        """
        return self._call('featureTagByName', {'tag': tag})

    def unfeature_tag_by_name(self, tag: str) -> Tag:
        """Take a hashtag off your profile, by its name. It is answered in the same way when it is not there. ``POST
        /api/v1/tags/{tag}/unfeature``
        """
        return self._call('unfeatureTagByName', {'tag': tag})

    def list_followed_tags(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Tag]:
        """Hashtags that you follow. Those whose public posts stand in your home. ``GET /api/v1/followed_tags``"""
        return self._call('listFollowedTags', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def follow_tag(self, tag: str) -> Tag:
        """Follow a hashtag. Public posts with it stand in your home until you unfollow it, earlier ones too, whoever
        has written them; 50 hashtags at most. ``POST /api/v1/tags/{tag}/follow``
        """
        return self._call('followTag', {'tag': tag})

    def unfollow_tag(self, tag: str) -> Tag:
        """Follow a hashtag no more. Its posts leave your home, unless you follow those who have written them. ``POST
        /api/v1/tags/{tag}/unfollow``
        """
        return self._call('unfollowTag', {'tag': tag})

    def list_follow_requests(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Who asks to follow you. Newest first. Cursors are opaque: take them from the Link header. ``GET
        /api/v1/follow_requests``
        """
        return self._call('listFollowRequests', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def authorize_follow_request(self, id: Id) -> Relationship:
        """Let an account follow you that has asked to. The id is that of the account. ``POST
        /api/v1/follow_requests/{id}/authorize``
        """
        return self._call('authorizeFollowRequest', {'id': id})

    def reject_follow_request(self, id: Id) -> Relationship:
        """Refuse the request of an account to follow you. The id is that of the account. ``POST
        /api/v1/follow_requests/{id}/reject``
        """
        return self._call('rejectFollowRequest', {'id': id})

    def create_report(self, *, account_id: str, status_ids: Optional[List[str]] = None, comment: Optional[str] = None, category: Optional[Literal['spam', 'legal', 'violation', 'other']] = None, rule_ids: Optional[List[str]] = None, forward: Optional[bool] = None) -> Report:
        """Report an account to the operator. The operator reads it on the command line. At most 50 open reports of one
        account; when the server has as many as it keeps, a report of an account without an open one takes the place
        of another. Statuses must be of the account and visible to you. There are no rules here, so the category
        `violation` is refused; `forward` does nothing. ``POST /api/v1/reports``
        """
        return self._call('createReport', {'account_id': account_id, 'status_ids': status_ids, 'comment': comment, 'category': category, 'rule_ids': rule_ids, 'forward': forward})

    def list_admin_accounts(self, *, local: Optional[bool] = None, remote: Optional[bool] = None, active: Optional[bool] = None, pending: Optional[bool] = None, disabled: Optional[bool] = None, silenced: Optional[bool] = None, suspended: Optional[bool] = None, sensitized: Optional[bool] = None, staff: Optional[bool] = None, username: Optional[str] = None, display_name: Optional[str] = None, by_domain: Optional[str] = None, email: Optional[str] = None, ip: Optional[str] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AdminAccount]:
        """Accounts for moderators. All that is given must hold. Without a name, an e-mail address, a role or a
        restriction, the 1000 accounts that have signed up last are looked through; by the beginning of a name 500
        at most. For the permission Manage Users. ``GET /api/v1/admin/accounts``
        """
        return self._call('listAdminAccounts', {'local': local, 'remote': remote, 'active': active, 'pending': pending, 'disabled': disabled, 'silenced': silenced, 'suspended': suspended, 'sensitized': sensitized, 'staff': staff, 'username': username, 'display_name': display_name, 'by_domain': by_domain, 'email': email, 'ip': ip, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_admin_accounts_v2(self, *, origin: Optional[Literal['local', 'remote']] = None, status: Optional[Literal['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized']] = None, permissions: Optional[Literal['staff']] = None, role_ids: Optional[List[str]] = None, invited_by: Optional[Id] = None, username: Optional[str] = None, display_name: Optional[str] = None, by_domain: Optional[str] = None, email: Optional[str] = None, ip: Optional[str] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AdminAccount]:
        """Accounts for moderators, by state. All that is given must hold. Without a name, an e-mail address, a role or
        a restriction, the 1000 accounts that have signed up last are looked through; by the beginning of a name 500
        at most. For the permission Manage Users. ``GET /api/v2/admin/accounts``
        """
        return self._call('listAdminAccountsV2', {'origin': origin, 'status': status, 'permissions': permissions, 'role_ids': role_ids, 'invited_by': invited_by, 'username': username, 'display_name': display_name, 'by_domain': by_domain, 'email': email, 'ip': ip, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def show_admin_account(self, id: Id) -> AdminAccount:
        """An account for moderators. Also a suspended one. For the permission Manage Users. ``GET
        /api/v1/admin/accounts/{id}``
        """
        return self._call('showAdminAccount', {'id': id})

    def delete_admin_account(self, id: Id) -> AdminAccount:
        """Delete a suspended account for good. Its name is never given to anybody again. 403 unless it is suspended.
        For the permission Delete User Data. Answers the account as it was. ``DELETE /api/v1/admin/accounts/{id}``
        """
        return self._call('deleteAdminAccount', {'id': id})

    def act_on_account(self, id: Id, *, type: Literal['none', 'sensitive', 'silence', 'suspend'], report_id: Optional[str] = None, text: Optional[str] = None, why: Optional[str] = None, warning_preset_id: Optional[str] = None, send_email_notification: Optional[bool] = None) -> Dict[str, Any]:
        """Act on an account. `silence` limits it, `sensitive` marks its new posts, `suspend` suspends it, and `none`
        does no more than warn. The account is warned in any case; the same act with the same message within an hour
        warns once. `disable` is refused. The report that is named is resolved, and the warning names its posts.
        Moderators act on users, admins on moderators too, owners on everybody else; an owner is restricted by
        nobody. ``POST /api/v1/admin/accounts/{id}/action``
        """
        return self._call('actOnAccount', {'id': id, 'type': type, 'report_id': report_id, 'text': text, 'why': why, 'warning_preset_id': warning_preset_id, 'send_email_notification': send_email_notification})

    def approve_account(self, id: Id) -> AdminAccount:
        """Approve an account. The account is an ordinary one from then on, and the tokens of its sign-up are good. 403
        when it does not wait for approval. For the permission Manage Users. ``POST
        /api/v1/admin/accounts/{id}/approve``
        """
        return self._call('approveAccount', {'id': id})

    def reject_account(self, id: Id) -> AdminAccount:
        """Reject an account. The account is erased, and its name and address are free again. 403 when it does not wait
        for approval. For the permission Manage Users. ``POST /api/v1/admin/accounts/{id}/reject``
        """
        return self._call('rejectAccount', {'id': id})

    def enable_account(self, id: Id) -> AdminAccount:
        """Enable an account. Changes nothing: no account is disabled. ``POST /api/v1/admin/accounts/{id}/enable``"""
        return self._call('enableAccount', {'id': id})

    def unsilence_account(self, id: Id) -> AdminAccount:
        """Lift the limit of an account. Changes nothing when there is none. ``POST
        /api/v1/admin/accounts/{id}/unsilence``
        """
        return self._call('unsilenceAccount', {'id': id})

    def unsensitive_account(self, id: Id) -> AdminAccount:
        """Take the mark of a sensitive account back. Changes nothing when there is none. ``POST
        /api/v1/admin/accounts/{id}/unsensitive``
        """
        return self._call('unsensitiveAccount', {'id': id})

    def unsuspend_account(self, id: Id) -> AdminAccount:
        """Lift the suspension of an account. 403 when it is not suspended. ``POST
        /api/v1/admin/accounts/{id}/unsuspend``
        """
        return self._call('unsuspendAccount', {'id': id})

    def list_admin_reports(self, *, resolved: Optional[bool] = None, account_id: Optional[Id] = None, target_account_id: Optional[Id] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AdminReport]:
        """Reports of users. The open ones, or the resolved ones. For the permission Manage Reports. ``GET
        /api/v1/admin/reports``
        """
        return self._call('listAdminReports', {'resolved': resolved, 'account_id': account_id, 'target_account_id': target_account_id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def show_admin_report(self, id: Id) -> AdminReport:
        """A report. Open or resolved. ``GET /api/v1/admin/reports/{id}``"""
        return self._call('showAdminReport', {'id': id})

    def update_admin_report(self, id: Id, *, category: Optional[Literal['spam', 'legal', 'violation', 'other']] = None, rule_ids: Optional[List[str]] = None) -> AdminReport:
        """Classify a report. There are no rules, so the category `violation` is refused. ``PUT
        /api/v1/admin/reports/{id}``
        """
        return self._call('updateAdminReport', {'id': id, 'category': category, 'rule_ids': rule_ids})

    def assign_report(self, id: Id) -> AdminReport:
        """Take a report. Also from another moderator. ``POST /api/v1/admin/reports/{id}/assign_to_self``"""
        return self._call('assignReport', {'id': id})

    def unassign_report(self, id: Id) -> AdminReport:
        """Give a report back. So that another moderator takes it. ``POST /api/v1/admin/reports/{id}/unassign``"""
        return self._call('unassignReport', {'id': id})

    def resolve_report(self, id: Id) -> AdminReport:
        """Resolve a report. Its reporter may send another one. The newest 2000 resolved ones are kept. ``POST
        /api/v1/admin/reports/{id}/resolve``
        """
        return self._call('resolveReport', {'id': id})

    def reopen_report(self, id: Id) -> AdminReport:
        """Reopen a report. 422 when as many are open as the server keeps. ``POST /api/v1/admin/reports/{id}/reopen``"""
        return self._call('reopenReport', {'id': id})

    def delete_admin_status(self, id: Id, *, text: Optional[str] = None, why: Optional[str] = None, report_id: Optional[str] = None) -> AccountWarning:
        """Delete a post. It is deleted as by its author, who is warned. Doing it again changes nothing and answers the
        same warning; a post that its author has deleted is unknown. The report that is named is resolved. For the
        permission Manage Reports; moderators act on users, admins on moderators too, and nobody on an owner. ``POST
        /api/v1/admin/statuses/{id}/delete``
        """
        return self._call('deleteAdminStatus', {'id': id, 'text': text, 'why': why, 'report_id': report_id})

    def mark_admin_status(self, id: Id, *, text: Optional[str] = None, why: Optional[str] = None, report_id: Optional[str] = None) -> AccountWarning:
        """Mark a post as sensitive. Whatever its author chooses, also in an edit, until the warning is overturned.
        Streams get the post as they get an edit. Doing it again changes nothing and answers the same warning. 422
        for a repost. Otherwise as the delete. ``POST /api/v1/admin/statuses/{id}/sensitive``
        """
        return self._call('markAdminStatus', {'id': id, 'text': text, 'why': why, 'report_id': report_id})

    def list_appeals(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AccountWarning]:
        """Appeals that wait for a decision. Warnings with their appeals, the newest warning first; at most 5000 wait.
        One that is decided already was cut off: the same decision again completes it. For the permission Manage
        Reports. ``GET /api/v1/admin/appeals``
        """
        return self._call('listAppeals', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_moderator_notes(self, id: Id) -> List[ModeratorNote]:
        """Notes of moderators on an account. All of them, the newest first. The account itself never reads them. For
        the permission Manage Users, over the account. ``GET /api/v1/admin/accounts/{id}/notes``
        """
        return self._call('listModeratorNotes', {'id': id})

    def add_moderator_note(self, id: Id, *, text: str) -> ModeratorNote:
        """Add a note on an account. An account has 100 at most. For the permission Manage Users, over the account.
        ``POST /api/v1/admin/accounts/{id}/notes``
        """
        return self._call('addModeratorNote', {'id': id, 'text': text})

    def remove_moderator_note(self, id: Id, name: str) -> Empty:
        """Remove a note on an account. For the permission Manage Users, over the account. ``DELETE
        /api/v1/admin/accounts/{id}/notes/{name}``
        """
        return self._call('removeModeratorNote', {'id': id, 'name': name})

    def approve_appeal(self, id: Id, warning: str, *, why: Optional[str] = None) -> AccountWarning:
        """Approve an appeal. The warning is overturned: the restriction of the account or the mark of the post is
        taken back. A deleted post stays deleted. Once: the same decision again answers the same, another one 422.
        For the permission Manage Reports, over the account. ``POST
        /api/v1/admin/accounts/{id}/appeals/{warning}/approve``
        """
        return self._call('approveAppeal', {'id': id, 'warning': warning, 'why': why})

    def reject_appeal(self, id: Id, warning: str, *, why: Optional[str] = None) -> AccountWarning:
        """Reject an appeal. Nothing else changes. Once: the same decision again answers the same, another one 422. For
        the permission Manage Reports, over the account. ``POST
        /api/v1/admin/accounts/{id}/appeals/{warning}/reject``
        """
        return self._call('rejectAppeal', {'id': id, 'warning': warning, 'why': why})

    def list_all_held_statuses(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[HeldStatus]:
        """Posts that wait for a moderator. The newest first; at most 2000 wait, each for 14 days. Posts of accounts
        that are suspended end when they are listed. For the permission Manage Reports. ``GET
        /api/v1/admin/held_statuses``
        """
        return self._call('listAllHeldStatuses', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def approve_held_status(self, id: Id, held: str, *, trust: Optional[bool] = None, why: Optional[str] = None) -> Empty:
        """Approve a post that waits. A job publishes it within seconds, once, or at the time for which its author has
        scheduled it. 404 when it waits no more, 422 while its author is suspended. For the permission Manage
        Reports, over the account. ``POST /api/v1/admin/accounts/{id}/held_statuses/{held}/approve``
        """
        return self._call('approveHeldStatus', {'id': id, 'held': held, 'trust': trust, 'why': why})

    def reject_held_status(self, id: Id, held: str, *, text: Optional[str] = None, why: Optional[str] = None) -> Empty:
        """Reject a post that waits. It is not published, and its author gets an AccountWarning of the action `none`
        with the message. 404 when it waits no more. For the permission Manage Reports, over the account. ``POST
        /api/v1/admin/accounts/{id}/held_statuses/{held}/reject``
        """
        return self._call('rejectHeldStatus', {'id': id, 'held': held, 'text': text, 'why': why})

    def list_selections(self) -> List[AccountSelection]:
        """Selections of accounts. The newest first, without their accounts. One without an act is kept for an hour,
        another for 48 hours after its act or its undo. For the permission Manage Users. ``GET
        /api/v1/admin/selections``
        """
        return self._call('listSelections', {})

    def create_selection(self, *, signed_up_from: Optional[str] = None, signed_up_like: Optional[str] = None, wide: Optional[bool] = None, signed_up_since: Optional[str] = None, signed_up_until: Optional[str] = None, text: Optional[str] = None, usernames: Optional[List[str]] = None) -> AccountSelection:
        """Select many accounts. At least one criterion is given, and an account must meet all of them. Nothing happens
        to the accounts. At most 5000 are selected, the earliest sign-ups; a search takes 3 seconds at most. At most
        200 selections are kept. For the permission Manage Users. ``POST /api/v1/admin/selections``
        """
        return self._call('createSelection', {'signed_up_from': signed_up_from, 'signed_up_like': signed_up_like, 'wide': wide, 'signed_up_since': signed_up_since, 'signed_up_until': signed_up_until, 'text': text, 'usernames': usernames})

    def show_selection(self, id: Id) -> AccountSelection:
        """A selection of accounts. With its first accounts, and how far the act on it is. For the permission Manage
        Users. ``GET /api/v1/admin/selections/{id}``
        """
        return self._call('showSelection', {'id': id})

    def act_on_selection(self, id: Id, *, type: Literal['sensitive', 'silence', 'suspend'], text: Optional[str] = None, why: Optional[str] = None) -> AccountSelection:
        """Act on all accounts of a selection. A job changes them, 50 at a time; accounts that the role of the
        moderator does not reach are left out. Each account that is changed gets a warning. Once: the same act again
        makes sure of its job, another one answers 422. For the permission Manage Users. ``POST
        /api/v1/admin/selections/{id}/act``
        """
        return self._call('actOnSelection', {'id': id, 'type': type, 'text': text, 'why': why})

    def undo_selection(self, id: Id, *, why: Optional[str] = None) -> AccountSelection:
        """Undo the act on a selection. Within 24 hours of its begin, also while it runs. A job lifts the restriction
        from each account that the act has restricted, unless somebody has acted on that restriction since. Warnings
        stay. For the permission Manage Users. ``POST /api/v1/admin/selections/{id}/undo``
        """
        return self._call('undoSelection', {'id': id, 'why': why})

    def list_ip_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AdminIpBlock]:
        """Blocks of networks. At most 10000. For the permission Manage Blocks. ``GET /api/v1/admin/ip_blocks``"""
        return self._call('listIpBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def create_ip_block(self, *, ip: str, severity: IpBlockSeverity, comment: Optional[str] = None, expires_in: Optional[int] = None) -> AdminIpBlock:
        """Block a network. `no_access` refuses every request and ends open streams, the others refuse sign-ups. Each
        process follows within two seconds. A network that contains your own address or the server itself is
        refused, and one of less than 8 bits (IPv6: 16). For the permission Manage Blocks. ``POST
        /api/v1/admin/ip_blocks``
        """
        return self._call('createIpBlock', {'ip': ip, 'severity': severity, 'comment': comment, 'expires_in': expires_in})

    def show_ip_block(self, id: Id) -> AdminIpBlock:
        """A block of a network. For the permission Manage Blocks. ``GET /api/v1/admin/ip_blocks/{id}``"""
        return self._call('showIpBlock', {'id': id})

    def update_ip_block(self, id: Id, *, ip: Optional[str] = None, severity: Optional[IpBlockSeverity] = None, comment: Optional[str] = None, expires_in: Optional[int] = None) -> AdminIpBlock:
        """Change a block of a network. Fields that are left out stay. For the permission Manage Blocks. ``PUT
        /api/v1/admin/ip_blocks/{id}``
        """
        return self._call('updateIpBlock', {'id': id, 'ip': ip, 'severity': severity, 'comment': comment, 'expires_in': expires_in})

    def delete_ip_block(self, id: Id) -> Empty:
        """Remove a block of a network. For the permission Manage Blocks. ``DELETE /api/v1/admin/ip_blocks/{id}``"""
        return self._call('deleteIpBlock', {'id': id})

    def list_mail_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AdminEmailDomainBlock]:
        """Blocks of mail domains. At most 10000. For the permission Manage Blocks. ``GET
        /api/v1/admin/email_domain_blocks``
        """
        return self._call('listMailBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def create_mail_block(self, *, domain: str, comment: Optional[str] = None) -> AdminEmailDomainBlock:
        """Block a mail domain. Refuses sign-ups with an address of the domain or of a domain below it. Accounts that
        exist stay. For the permission Manage Blocks. ``POST /api/v1/admin/email_domain_blocks``
        """
        return self._call('createMailBlock', {'domain': domain, 'comment': comment})

    def show_mail_block(self, id: Id) -> AdminEmailDomainBlock:
        """A block of a mail domain. For the permission Manage Blocks. ``GET /api/v1/admin/email_domain_blocks/{id}``"""
        return self._call('showMailBlock', {'id': id})

    def delete_mail_block(self, id: Id) -> Empty:
        """Remove a block of a mail domain. For the permission Manage Blocks. ``DELETE
        /api/v1/admin/email_domain_blocks/{id}``
        """
        return self._call('deleteMailBlock', {'id': id})

    def list_name_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AdminUsernameBlock]:
        """Blocks of user names. At most 1000. For the permission Manage Blocks. ``GET /api/v1/admin/username_blocks``"""
        return self._call('listNameBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def create_name_block(self, *, username: str, comment: Optional[str] = None) -> AdminUsernameBlock:
        """Block a user name. Refuses sign-ups with the name; up to four stars stand for any letters. Accounts that
        exist stay. For the permission Manage Blocks. ``POST /api/v1/admin/username_blocks``
        """
        return self._call('createNameBlock', {'username': username, 'comment': comment})

    def show_name_block(self, id: Id) -> AdminUsernameBlock:
        """A block of a user name. For the permission Manage Blocks. ``GET /api/v1/admin/username_blocks/{id}``"""
        return self._call('showNameBlock', {'id': id})

    def delete_name_block(self, id: Id) -> Empty:
        """Remove a block of a user name. For the permission Manage Blocks. ``DELETE
        /api/v1/admin/username_blocks/{id}``
        """
        return self._call('deleteNameBlock', {'id': id})

    def set_role(self, id: Id, *, role: Literal['user', 'moderator', 'admin', 'owner'], why: Optional[str] = None) -> Role:
        """Give an account a role. From the next request of the account on. An admin makes moderators of users and
        users of moderators; an owner makes all roles. Everybody with a role may give it up, and nobody raises their
        own. The only owner keeps the role until there is another. ``PUT /api/v1/admin/accounts/{id}/role``
        """
        return self._call('setRole', {'id': id, 'role': role, 'why': why})

    def list_audit_log(self, *, max_id: Optional[str] = None, by_account_id: Optional[Id] = None, target_account_id: Optional[Id] = None, action: Optional[str] = None, limit: Optional[int] = None) -> AuditLog:
        """What moderators and operators did. Newest first: who did what to whom, when and why, of the API, the command
        line and the console. The newest `log.audit-entries` acts are kept. For every role but `user`. ``GET
        /api/v1/admin/audit_log``
        """
        return self._call('listAuditLog', {'max_id': max_id, 'by_account_id': by_account_id, 'target_account_id': target_account_id, 'action': action, 'limit': limit})

    def list_invitations(self, *, all: Optional[bool] = None) -> List[Invitation]:
        """Your invitations. The newest first, those that have ended in the last 30 days too. For accounts with a role;
        for all accounts where the setting `auth.user-invitations` is true. ``GET /api/v1/invitations``
        """
        return self._call('listInvitations', {'all': all})

    def create_invitation(self, *, max_uses: Optional[int] = None, expires_in: Optional[int] = None, comment: Optional[str] = None) -> Invitation:
        """Invite people. Somebody signs up with the code (`invite_code`) where sign-ups need an invitation, and
        without approval where they need one. At most 100 of an account. ``POST /api/v1/invitations``
        """
        return self._call('createInvitation', {'max_uses': max_uses, 'expires_in': expires_in, 'comment': comment})

    def revoke_invitation(self, name: str) -> Empty:
        """Revoke an invitation. Nobody signs up with it any more. Your own; those of others with the permission Manage
        Users. ``DELETE /api/v1/invitations/{name}``
        """
        return self._call('revokeInvitation', {'name': name})

    def list_warnings(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[AccountWarning]:
        """Own warnings by moderators. Newest first; the newest 200 are kept. ``GET /api/v1/warnings``"""
        return self._call('listWarnings', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def appeal_warning(self, id: Id, *, text: str) -> AccountWarning:
        """Appeal a warning. Once, within 20 days. The same text again answers the same, another one 422. The decision
        is in `appeal.state`; there is no notification of it. ``POST /api/v1/warnings/{id}/appeal``
        """
        return self._call('appealWarning', {'id': id, 'text': text})

    def follow_accounts(self, *, id: List[Id]) -> List[RelationshipOrError]:
        """Follow many accounts. One bad id does not undo the others. Who is locked is asked, as by following one.
        ``POST /api/v1/accounts/follow``
        """
        return self._call('followAccounts', {'id': id})

    def unfollow_accounts(self, *, id: List[Id]) -> List[RelationshipOrError]:
        """Follow many accounts no more. One bad id does not undo the others. ``POST /api/v1/accounts/unfollow``"""
        return self._call('unfollowAccounts', {'id': id})

    def list_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Whom you block. You alone see this list. ``GET /api/v1/blocks``"""
        return self._call('listBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_mutes(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[MutedAccount]:
        """Whom you mute. With the ends of those mutes that have one. You alone see this list. ``GET /api/v1/mutes``"""
        return self._call('listMutes', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_statuses(self, *, id: Optional[List[Id]] = None) -> List[Status]:
        """Statuses by their ids. In the order asked for, without those that cannot be seen; at most 100 ids. ``GET
        /api/v1/statuses``
        """
        return self._call('listStatuses', {'id': id})

    def create_status(self, *, status: Optional[str] = None, visibility: Optional[Literal['public', 'unlisted', 'private', 'direct']] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, in_reply_to_id: Optional[Id] = None, quoted_status_id: Optional[Id] = None, media_ids: Optional[List[Id]] = None, media_attributes: Optional[List[CreateStatusMediaAttributes]] = None, poll: Optional[CreateStatusPoll] = None, scheduled_at: Optional[str] = None, quote_approval_policy: Optional[QuotePolicy] = None, allowed_mentions: Optional[List[Id]] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, idempotency_key: Optional[str] = None) -> Union[Status, ScheduledStatus]:
        """Post. 404 when the status that is answered or quoted cannot be seen. 422 with the code `ERR_HELD` at
        `status` when the post waits for a moderator (`listHeldStatuses`): sending it again changes nothing. ``POST
        /api/v1/statuses``
        """
        return self._call('createStatus', {'status': status, 'visibility': visibility, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'in_reply_to_id': in_reply_to_id, 'quoted_status_id': quoted_status_id, 'media_ids': media_ids, 'media_attributes': media_attributes, 'poll': poll, 'scheduled_at': scheduled_at, 'quote_approval_policy': quote_approval_policy, 'allowed_mentions': allowed_mentions, 'lat': lat, 'long': long, 'place': place}, idempotency_key)

    def show_status(self, id: Id) -> Status:
        """A status. One that you may not see gets the 404 of one that does not exist. ``GET /api/v1/statuses/{id}``"""
        return self._call('showStatus', {'id': id})

    def edit_status(self, id: Id, *, status: Optional[str] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, quote_approval_policy: Optional[Literal['public', 'followers', 'nobody']] = None, poll: Optional[EditStatusPoll] = None, media_ids: Optional[List[Id]] = None, media_attributes: Optional[List[EditStatusMediaAttributes]] = None) -> Status:
        """Edit a status or comment of your own. All words are said again: what is left out is empty, except the
        language. The former words stay in the history. Nothing else changes, whatever is said, but for
        `quote_approval_policy`, for its pictures by `media_ids`, which stay when it is left out, and for their
        descriptions and focus by `media_attributes`; another poll is refused, with other options or another
        `multiple`. An edit that changes nothing is answered with the status as it is. 404 for somebody elses, as if
        it did not exist; 422 for a repost without words, and for an article. ``PUT /api/v1/statuses/{id}``
        """
        return self._call('editStatus', {'id': id, 'status': status, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'quote_approval_policy': quote_approval_policy, 'poll': poll, 'media_ids': media_ids, 'media_attributes': media_attributes})

    def delete_status(self, id: Id, *, delete_media: Optional[bool] = None) -> DeletedStatus:
        """Delete a status or comment of your own. Somebody elses gets the 404 of one that does not exist. ``DELETE
        /api/v1/statuses/{id}``
        """
        return self._call('deleteStatus', {'id': id, 'delete_media': delete_media})

    def show_source(self, id: Id) -> StatusSource:
        """What its author wrote. For whoever may see the status. ``GET /api/v1/statuses/{id}/source``"""
        return self._call('showSource', {'id': id})

    def list_edits(self, id: Id) -> List[StatusEdit]:
        """What a status was. For whoever may see the status. ``GET /api/v1/statuses/{id}/history``"""
        return self._call('listEdits', {'id': id})

    def show_context(self, id: Id) -> Context:
        """What a status answers, and what answers it. Only what you may see of it. ``GET
        /api/v1/statuses/{id}/context``
        """
        return self._call('showContext', {'id': id})

    def favourite_status(self, id: Id) -> Status:
        """Like a status. Its author is notified. A second time changes nothing. ``POST
        /api/v1/statuses/{id}/favourite``
        """
        return self._call('favouriteStatus', {'id': id})

    def unfavourite_status(self, id: Id) -> Status:
        """Like a status no more. It is answered in the same way when you do not like it. ``POST
        /api/v1/statuses/{id}/unfavourite``
        """
        return self._call('unfavouriteStatus', {'id': id})

    def bookmark_status(self, id: Id) -> Status:
        """Bookmark a status. Nobody but you knows. A second time changes nothing. ``POST
        /api/v1/statuses/{id}/bookmark``
        """
        return self._call('bookmarkStatus', {'id': id})

    def unbookmark_status(self, id: Id) -> Status:
        """Bookmark a status no more. It is answered in the same way when it is no bookmark of yours. ``POST
        /api/v1/statuses/{id}/unbookmark``
        """
        return self._call('unbookmarkStatus', {'id': id})

    def pin_status(self, id: Id) -> Status:
        """Show a status of yours above all others. At most five; the one pinned last comes first in
        `/api/v1/accounts/{id}/statuses?pinned=true`. A repost, and a status of somebody else, is refused with 422.
        Deleting a status unpins it. ``POST /api/v1/statuses/{id}/pin``
        """
        return self._call('pinStatus', {'id': id})

    def unpin_status(self, id: Id) -> Status:
        """Pin a status no more. It is answered in the same way when it is not pinned. ``POST
        /api/v1/statuses/{id}/unpin``
        """
        return self._call('unpinStatus', {'id': id})

    def mute_status(self, id: Id) -> Status:
        """Hear no more of a conversation. No notification of any status of the conversation that the status belongs to
        is shown or streamed. They are kept, and shown once the conversation is heard again. The 200 conversations
        that were muted last stay muted. ``POST /api/v1/statuses/{id}/mute``
        """
        return self._call('muteStatus', {'id': id})

    def unmute_status(self, id: Id) -> Status:
        """Hear of a conversation again. What was kept of it meanwhile is shown, too. ``POST
        /api/v1/statuses/{id}/unmute``
        """
        return self._call('unmuteStatus', {'id': id})

    def list_conversations(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Conversation]:
        """Your conversations of direct messages. The one with the newest message first; the cursors are ids of
        messages, so follow `Link`. The 500 with the newest messages are kept. Not shown are those whose other
        accounts you all block, or mute with their notifications, and those without a message that you may see.
        ``GET /api/v1/conversations``
        """
        return self._call('listConversations', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def delete_conversation(self, id: Id) -> Empty:
        """Take a conversation off your list. The messages stay. A new one brings the conversation back, with what is
        written from then on. ``DELETE /api/v1/conversations/{id}``
        """
        return self._call('deleteConversation', {'id': id})

    def read_conversation(self, id: Id) -> Conversation:
        """Mark a conversation as read. `unread` is false until another message comes. ``POST
        /api/v1/conversations/{id}/read``
        """
        return self._call('readConversation', {'id': id})

    def unread_conversation(self, id: Id) -> Conversation:
        """Mark a conversation as unread. `unread` is true until it is marked as read, or the user writes in it. ``POST
        /api/v1/conversations/{id}/unread``
        """
        return self._call('unreadConversation', {'id': id})

    def reblog_status(self, id: Id, *, visibility: Optional[Literal['public', 'unlisted', 'private']] = None, comment: Optional[str] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, quote_approval_policy: Optional[QuotePolicy] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, idempotency_key: Optional[str] = None) -> Status:
        """Repost a status, with or without a comment. Of a repost, its original is passed on. Who has reposted it
        already gets that repost. A private status of somebody else is refused with 422; a repost is seen by no more
        people than its original. ``POST /api/v1/statuses/{id}/reblog``
        """
        return self._call('reblogStatus', {'id': id, 'visibility': visibility, 'comment': comment, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'quote_approval_policy': quote_approval_policy, 'lat': lat, 'long': long, 'place': place}, idempotency_key)

    def unreblog_status(self, id: Id) -> Status:
        """Take a repost back. It is answered in the same way when you have not reposted it. ``POST
        /api/v1/statuses/{id}/unreblog``
        """
        return self._call('unreblogStatus', {'id': id})

    def list_favourited_by(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Who likes a status. For whoever may see the status. ``GET /api/v1/statuses/{id}/favourited_by``"""
        return self._call('listFavouritedBy', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_reblogged_by(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Who reposted a status. For whoever may see the status. Without those who reposted it for their followers
        alone. ``GET /api/v1/statuses/{id}/reblogged_by``
        """
        return self._call('listRebloggedBy', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_quotes(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Quotes of a status. Those that you may see. ``GET /api/v1/statuses/{id}/quotes``"""
        return self._call('listQuotes', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def revoke_quote(self, id: Id, name: str) -> Status:
        """Take a status of yours out of a quote. The quote keeps its own words and says `revoked` from then on;
        `/quotes` lists it no more. For good: it cannot quote the status again, though its author can do so in
        another post, unless the policy of quotes forbids it. Doing it again changes nothing. 403 when the quoted
        status is not yours; 404 when this does not quote it. A quote that you may not see is ended all the same;
        the answer is then your own status. ``POST /api/v1/statuses/{id}/quotes/{name}/revoke``
        """
        return self._call('revokeQuote', {'id': id, 'name': name})

    def set_interaction_policy(self, id: Id, *, quote_approval_policy: Optional[QuotePolicy] = None) -> Status:
        """Say who may quote a status of yours from now on. Quotes that there are stay. Nothing changes without a
        policy, and of a status that is `private` or `direct`, which nobody may quote. Articles are refused with
        422: everybody may quote them. ``PUT /api/v1/statuses/{id}/interaction_policy``
        """
        return self._call('setInteractionPolicy', {'id': id, 'quote_approval_policy': quote_approval_policy})

    def list_comments(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Comments on a status. Those on the status itself and on its comments, as far as you may see them. ``GET
        /api/v1/statuses/{id}/comments``
        """
        return self._call('listComments', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def create_comment(self, id: Id, *, text: Optional[str] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, status: Optional[str] = None, visibility: Optional[Literal['public', 'unlisted', 'private']] = None, quote_approval_policy: Optional[QuotePolicy] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, also_repost: Optional[bool] = None, parent_id: Optional[Id] = None, idempotency_key: Optional[str] = None) -> Status:
        """Comment on a status. A comment is in no profile, no timeline and no count of statuses, and is seen by
        whoever sees what it stands under. One on a comment is listed with the comments of both. ``POST
        /api/v1/statuses/{id}/comments``
        """
        return self._call('createComment', {'id': id, 'text': text, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'status': status, 'visibility': visibility, 'quote_approval_policy': quote_approval_policy, 'lat': lat, 'long': long, 'place': place, 'also_repost': also_repost, 'parent_id': parent_id}, idempotency_key)

    def list_favourites(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """What you like. In the order of the likes. Cursors are not ids of statuses: take them from the Link header.
        ``GET /api/v1/favourites``
        """
        return self._call('listFavourites', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_bookmarks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """What you bookmarked. In the order of the bookmarks. Cursors are not ids of statuses: take them from the Link
        header. ``GET /api/v1/bookmarks``
        """
        return self._call('listBookmarks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def export_archive(self) -> bytes:
        """All that is yours, as one file. A ZIP file in the form of Mastodon's archives (`actor.json`, `outbox.json`,
        `likes.json`, `bookmarks.json`, `media_attachments`), with the CSV files below and, as JSON, what else you
        have: posts with all of their versions and direct messages that you sent, what is scheduled, filters,
        hashtags, lists, notes. `README.txt` in it says what is where. Passwords and tokens are not in it. It has
        50,000 pictures at most. Made while it is sent, one at a time; counted by `limits.rates.exports` when it
        begins: an attempt that is refused with 503 does not count, nor does HEAD. It ends after an hour, or when
        the token ends. When the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/archive.zip``
        """
        return self._call('exportArchive', {})

    def export_follows(self) -> bytes:
        """Whom you follow. As the CSV file that Mastodon exports and imports: address, whether boosts are shown,
        whether you are notified of new posts, languages. Made while it is sent: when the connection ends before the
        body does, the file is not whole. ``GET /api/v1/exports/follows.csv``
        """
        return self._call('exportFollows', {})

    def export_blocks(self) -> bytes:
        """Whom you block. As the CSV file that Mastodon exports and imports: addresses. Made while it is sent: when
        the connection ends before the body does, the file is not whole. ``GET /api/v1/exports/blocks.csv``
        """
        return self._call('exportBlocks', {})

    def export_mutes(self) -> bytes:
        """Whom you mute. As the CSV file that Mastodon exports and imports: address, whether notifications are hidden.
        Made while it is sent: when the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/mutes.csv``
        """
        return self._call('exportMutes', {})

    def export_lists(self) -> bytes:
        """Who is on your lists. As the CSV file that Mastodon exports and imports: title of the list, address. Made
        while it is sent: when the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/lists.csv``
        """
        return self._call('exportLists', {})

    def export_bookmarks(self) -> bytes:
        """What you bookmarked, as a file. As the CSV file that Mastodon exports and imports: the `uri` of each post.
        Made while it is sent: when the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/bookmarks.csv``
        """
        return self._call('exportBookmarks', {})

    def show_home(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Statuses of whom you follow. Also what you have written, and public posts with hashtags that you follow.
        ``GET /api/v1/timelines/home``
        """
        return self._call('showHome', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def list_filters(self) -> List[Filter]:
        """Your filters. Each with its keywords and statuses. One that has expired is there, too. ``GET
        /api/v2/filters``
        """
        return self._call('listFilters', {})

    def create_filter(self, *, title: str, context: FilterContexts, filter_action: Optional[Literal['warn', 'hide', 'blur', 'blur_media']] = None, expires_in: Optional[int] = None, keywords_attributes: Optional[List[CreateFilterKeywordsAttributes]] = None) -> Filter:
        """Make a filter. At most `limits.filters-max`, five times as many keywords and statuses, and as many KiB.
        Statuses that match carry it in `filtered`, wherever they are shown to you; hiding them is for the client.
        What you have written yourself is never filtered. ``POST /api/v2/filters``
        """
        return self._call('createFilter', {'title': title, 'context': context, 'filter_action': filter_action, 'expires_in': expires_in, 'keywords_attributes': keywords_attributes})

    def show_filter(self, id: Id) -> Filter:
        """A filter of yours. With its keywords and statuses. ``GET /api/v2/filters/{id}``"""
        return self._call('showFilter', {'id': id})

    def update_filter(self, id: Id, *, title: Optional[str] = None, context: Optional[FilterContexts] = None, filter_action: Optional[Literal['warn', 'hide', 'blur', 'blur_media']] = None, expires_in: Optional[int] = None, keywords_attributes: Optional[List[UpdateFilterKeywordsAttributes]] = None) -> Filter:
        """Change a filter of yours. What is not said stays as it is. A keyword is changed by its `id`, deleted by
        `_destroy`, and added without either. ``PUT /api/v2/filters/{id}``
        """
        return self._call('updateFilter', {'id': id, 'title': title, 'context': context, 'filter_action': filter_action, 'expires_in': expires_in, 'keywords_attributes': keywords_attributes})

    def delete_filter(self, id: Id) -> Empty:
        """Delete a filter of yours. With its keywords and statuses. ``DELETE /api/v2/filters/{id}``"""
        return self._call('deleteFilter', {'id': id})

    def list_filter_keywords(self, id: Id) -> List[FilterKeyword]:
        """Keywords of a filter of yours. They are part of the filter itself, too. ``GET
        /api/v2/filters/{id}/keywords``
        """
        return self._call('listFilterKeywords', {'id': id})

    def add_filter_keyword(self, id: Id, *, keyword: str, whole_word: Optional[bool] = None) -> FilterKeyword:
        """Add a keyword to a filter of yours. A filter matches as soon as one of its keywords does. ``POST
        /api/v2/filters/{id}/keywords``
        """
        return self._call('addFilterKeyword', {'id': id, 'keyword': keyword, 'whole_word': whole_word})

    def show_filter_keyword(self, id: Id) -> FilterKeyword:
        """A keyword of a filter of yours. By the id of the keyword. ``GET /api/v2/filters/keywords/{id}``"""
        return self._call('showFilterKeyword', {'id': id})

    def update_filter_keyword(self, id: Id, *, keyword: Optional[str] = None, whole_word: Optional[bool] = None) -> FilterKeyword:
        """Change a keyword of a filter of yours. What is not said stays as it is. ``PUT
        /api/v2/filters/keywords/{id}``
        """
        return self._call('updateFilterKeyword', {'id': id, 'keyword': keyword, 'whole_word': whole_word})

    def delete_filter_keyword(self, id: Id) -> Empty:
        """Take a keyword out of a filter of yours. The filter stays, even without a keyword. ``DELETE
        /api/v2/filters/keywords/{id}``
        """
        return self._call('deleteFilterKeyword', {'id': id})

    def list_filter_statuses(self, id: Id) -> List[FilterStatus]:
        """Statuses under a filter of yours. They match whatever their texts say. ``GET /api/v2/filters/{id}/statuses``"""
        return self._call('listFilterStatuses', {'id': id})

    def add_filter_status(self, id: Id, *, status_id: Id) -> FilterStatus:
        """Put a status under a filter of yours. It matches whatever its text says. ``POST
        /api/v2/filters/{id}/statuses``
        """
        return self._call('addFilterStatus', {'id': id, 'status_id': status_id})

    def show_filter_status(self, id: Id) -> FilterStatus:
        """A status under a filter of yours. By the id of the entry, not of the status. ``GET
        /api/v2/filters/statuses/{id}``
        """
        return self._call('showFilterStatus', {'id': id})

    def delete_filter_status(self, id: Id) -> Empty:
        """Take a status out of a filter of yours. By the id of the entry, not of the status. ``DELETE
        /api/v2/filters/statuses/{id}``
        """
        return self._call('deleteFilterStatus', {'id': id})

    def list_lists(self) -> List[UserList]:
        """Your lists of accounts. Nobody else sees them. ``GET /api/v1/lists``"""
        return self._call('listLists', {})

    def create_list(self, *, title: str, replies_policy: Optional[Literal['followed', 'list', 'none']] = None, exclusive: Optional[bool] = None) -> UserList:
        """Make a list of accounts. At most `limits.lists-max`. ``POST /api/v1/lists``"""
        return self._call('createList', {'title': title, 'replies_policy': replies_policy, 'exclusive': exclusive})

    def show_list(self, id: Id) -> UserList:
        """A list of yours. Its title and settings; who is on it has an address of its own. ``GET /api/v1/lists/{id}``"""
        return self._call('showList', {'id': id})

    def update_list(self, id: Id, *, title: Optional[str] = None, replies_policy: Optional[Literal['followed', 'list', 'none']] = None, exclusive: Optional[bool] = None) -> UserList:
        """Change a list of yours. What is not said stays as it is. ``PUT /api/v1/lists/{id}``"""
        return self._call('updateList', {'id': id, 'title': title, 'replies_policy': replies_policy, 'exclusive': exclusive})

    def delete_list(self, id: Id) -> Empty:
        """Delete a list of yours. You follow who was on it all the same. ``DELETE /api/v1/lists/{id}``"""
        return self._call('deleteList', {'id': id})

    def list_list_accounts(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Who is on a list of yours. Whose posts its timeline shows. ``GET /api/v1/lists/{id}/accounts``"""
        return self._call('listListAccounts', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def add_list_accounts(self, id: Id, *, account_ids: Optional[List[Id]] = None) -> Empty:
        """Put accounts on a list of yours. All or none. 404 when you do not follow one of them, 422 when one of them
        is on the list already. ``POST /api/v1/lists/{id}/accounts``
        """
        return self._call('addListAccounts', {'id': id, 'account_ids': account_ids})

    def remove_list_accounts(self, id: Id, *, account_ids: Optional[List[Id]] = None) -> Empty:
        """Take accounts off a list of yours. You follow them all the same. ``DELETE /api/v1/lists/{id}/accounts``"""
        return self._call('removeListAccounts', {'id': id, 'account_ids': account_ids})

    def list_lists_with(self, id: Id) -> List[UserList]:
        """Your lists that have an account. For choosing where to put it. ``GET /api/v1/accounts/{id}/lists``"""
        return self._call('listListsWith', {'id': id})

    def show_list_timeline(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Statuses of who is on a list of yours. As the home shows them, but for answers that the list leaves out.
        ``GET /api/v1/timelines/list/{id}``
        """
        return self._call('showListTimeline', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def show_public(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, local: Optional[bool] = None, remote: Optional[bool] = None, only_media: Optional[bool] = None) -> Page[Status]:
        """Public statuses of everybody. Without comments and reposts. There are no other servers: `local` changes
        nothing, `remote` shows nothing. ``GET /api/v1/timelines/public``
        """
        return self._call('showPublic', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'local': local, 'remote': remote, 'only_media': only_media})

    def show_tag(self, tag: str, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, any: Optional[List[str]] = None, all: Optional[List[str]] = None, none: Optional[List[str]] = None, local: Optional[bool] = None, remote: Optional[bool] = None, only_media: Optional[bool] = None) -> Page[Status]:
        """Public statuses with a hashtag. Replies to others too, which the public timeline leaves out; no comments and
        no plain reposts. ``GET /api/v1/timelines/tag/{tag}``
        """
        return self._call('showTag', {'tag': tag, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'any': any, 'all': all, 'none': none, 'local': local, 'remote': remote, 'only_media': only_media})

    def show_tag_entity(self, tag: str) -> Tag:
        """A hashtag. Also one that nobody has used. ``GET /api/v1/tags/{tag}``"""
        return self._call('showTagEntity', {'tag': tag})

    def list_trending_tags(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> List[Tag]:
        """Trending hashtags. Those that most accounts have used today and yesterday (UTC) in public posts, two at
        least on one of the days. ``GET /api/v1/trends/tags``
        """
        return self._call('listTrendingTags', {'limit': limit, 'offset': offset})

    def list_trends(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> List[Status]:
        """Trending statuses. Articles are what users vote on here. ``GET /api/v1/trends/statuses``"""
        return self._call('listTrends', {'limit': limit, 'offset': offset})

    def list_articles(self, *, group: Optional[GroupName] = None, order: Optional[Literal['score', 'time']] = None, max_id: Optional[str] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Articles by score or time. A ranking by score is walked downward: a walk shows no article twice, and leaves
        out only those that votes lift above its place meanwhile. By time it is a list as any other. ``GET
        /api/v1/articles``
        """
        return self._call('listArticles', {'group': group, 'order': order, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def create_article(self, *, title: str, link: Optional[str] = None, text: Optional[str] = None, groups: Optional[List[GroupName]] = None, visibility: Optional[Literal['public']] = None, quote_approval_policy: Optional[Literal['public']] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, idempotency_key: Optional[str] = None) -> Status:
        """Publish an article. An article is a public status that users vote on. Its text begins with title and link,
        so that every client shows them. The vote of its author is the first. Read, like, comment on and delete it
        as any status. ``POST /api/v1/articles``
        """
        return self._call('createArticle', {'title': title, 'link': link, 'text': text, 'groups': groups, 'visibility': visibility, 'quote_approval_policy': quote_approval_policy, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'lat': lat, 'long': long, 'place': place}, idempotency_key)

    def list_best_articles(self) -> List[Status]:
        """The newest articles with many votes. Those that have lasted, whatever their age. ``GET
        /api/v1/articles/best``
        """
        return self._call('listBestArticles', {})

    def show_article(self, id: Id) -> Status:
        """An article. 404 for a status that is no article. ``GET /api/v1/articles/{id}``"""
        return self._call('showArticle', {'id': id})

    def vote_for_article(self, id: Id) -> Status:
        """Vote for an article. A vote is worth 432 seconds of newness and is not taken back; a second one changes
        nothing. 422 later than seven days after the publication. ``POST /api/v1/articles/{id}/vote``
        """
        return self._call('voteForArticle', {'id': id})

    def list_voters(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Who voted for an article. Latest first; nobody any more when the voting is over. Cursors are opaque: take
        them from the Link header. ``GET /api/v1/articles/{id}/voters``
        """
        return self._call('listVoters', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def put_article_into_group(self, id: Id, name: GroupName) -> Status:
        """Put an article into a group. For the author of the article and the creator of the group. A group is created
        by its first article and ends with its last. ``PUT /api/v1/articles/{id}/groups/{name}``
        """
        return self._call('putArticleIntoGroup', {'id': id, 'name': name})

    def take_article_out_of_group(self, id: Id, name: GroupName) -> Status:
        """Take an article out of a group. For the author of the article and the creator of the group. ``DELETE
        /api/v1/articles/{id}/groups/{name}``
        """
        return self._call('takeArticleOutOfGroup', {'id': id, 'name': name})

    def list_groups(self, *, offset: Optional[int] = None, limit: Optional[int] = None) -> List[ArticleGroup]:
        """Groups of articles. By how many articles they have. ``GET /api/v1/groups``"""
        return self._call('listGroups', {'offset': offset, 'limit': limit})

    def list_articles_of_group(self, name: GroupName, *, order: Optional[Literal['score', 'time']] = None, max_id: Optional[str] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Status]:
        """Articles of a group. As those of all articles. A group that does not exist has none. ``GET
        /api/v1/groups/{name}/articles``
        """
        return self._call('listArticlesOfGroup', {'name': name, 'order': order, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def show_markers(self, *, timeline: Optional[List[Literal['home', 'notifications']]] = None) -> Markers:
        """How far you have read. For going on where another client has stopped. ``GET /api/v1/markers``"""
        return self._call('showMarkers', {'timeline': timeline})

    def set_markers(self, *, home: Optional[SetMarkersHome] = None, notifications: Optional[SetMarkersNotifications] = None) -> Markers:
        """Say how far you have read. What it says is there for your other clients; notifications up to it count as
        read. ``POST /api/v1/markers``
        """
        return self._call('setMarkers', {'home': home, 'notifications': notifications})

    def show_push_subscription(self) -> WebPushSubscription:
        """The push subscription of this token. 404 when it has none, and where push is switched off. ``GET
        /api/v1/push/subscription``
        """
        return self._call('showPushSubscription', {})

    def create_push_subscription(self, *, subscription: CreatePushSubscriptionSubscription, data: Optional[PushData] = None, policy: Optional[Literal['all', 'followed', 'follower', 'none']] = None) -> WebPushSubscription:
        """Subscribe this token to push. In place of its former subscription, which ends with the token. The endpoint
        is an https address on the public internet. ``POST /api/v1/push/subscription``
        """
        return self._call('createPushSubscription', {'subscription': subscription, 'data': data, 'policy': policy})

    def update_push_subscription(self, *, data: Optional[PushData] = None, policy: Optional[Literal['all', 'followed', 'follower', 'none']] = None) -> WebPushSubscription:
        """Change of which notifications push tells. Alerts that are not said are not told. ``PUT
        /api/v1/push/subscription``
        """
        return self._call('updatePushSubscription', {'data': data, 'policy': policy})

    def delete_push_subscription(self) -> Empty:
        """Unsubscribe this token from push. It is answered in the same way when there is none. ``DELETE
        /api/v1/push/subscription``
        """
        return self._call('deletePushSubscription', {})

    def list_notifications(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, include_filtered: Optional[bool] = None) -> Page[Notification]:
        """What others did that concerns you. One by one; `/api/v2/notifications` groups them. ``GET
        /api/v1/notifications``
        """
        return self._call('listNotifications', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'include_filtered': include_filtered})

    def count_notifications(self, *, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, include_filtered: Optional[bool] = None) -> CountNotificationsAnswer:
        """How many notifications you have not read. Those that are newer than the marker of notifications. ``GET
        /api/v1/notifications/unread_count``
        """
        return self._call('countNotifications', {'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'include_filtered': include_filtered})

    def clear_notifications(self) -> Empty:
        """Throw all notifications away. They do not come back. ``POST /api/v1/notifications/clear``"""
        return self._call('clearNotifications', {})

    def show_notification(self, id: Id) -> Notification:
        """One notification. By the id that lists and streams say. ``GET /api/v1/notifications/{id}``"""
        return self._call('showNotification', {'id': id})

    def dismiss_notification(self, id: Id) -> Empty:
        """Throw one notification away. It does not come back. ``POST /api/v1/notifications/{id}/dismiss``"""
        return self._call('dismissNotification', {'id': id})

    def show_notification_policy(self) -> NotificationPolicy:
        """Whose doings you want word of. With how much is set aside at the moment. ``GET
        /api/v2/notifications/policy``
        """
        return self._call('showNotificationPolicy', {})

    def update_notification_policy(self, *, for_not_following: Optional[Literal['accept', 'filter', 'drop']] = None, for_not_followers: Optional[Literal['accept', 'filter', 'drop']] = None, for_new_accounts: Optional[Literal['accept', 'filter', 'drop']] = None, for_private_mentions: Optional[Literal['accept', 'filter', 'drop']] = None, for_limited_accounts: Optional[Literal['accept', 'filter', 'drop']] = None) -> NotificationPolicy:
        """Say whose doings you want word of. It is asked at each read. What is set aside (`filter`) is in your
        notification requests, what is dropped nowhere; both are there again once they are accepted. ``PATCH
        /api/v2/notifications/policy``
        """
        return self._call('updateNotificationPolicy', {'for_not_following': for_not_following, 'for_not_followers': for_not_followers, 'for_new_accounts': for_new_accounts, 'for_private_mentions': for_private_mentions, 'for_limited_accounts': for_limited_accounts})

    def put_notification_policy(self, *, for_not_following: Optional[Literal['accept', 'filter', 'drop']] = None, for_not_followers: Optional[Literal['accept', 'filter', 'drop']] = None, for_new_accounts: Optional[Literal['accept', 'filter', 'drop']] = None, for_private_mentions: Optional[Literal['accept', 'filter', 'drop']] = None, for_limited_accounts: Optional[Literal['accept', 'filter', 'drop']] = None) -> NotificationPolicy:
        """Say whose doings you want word of. The same as PATCH: what is not named stays as it is. ``PUT
        /api/v2/notifications/policy``
        """
        return self._call('putNotificationPolicy', {'for_not_following': for_not_following, 'for_not_followers': for_not_followers, 'for_new_accounts': for_new_accounts, 'for_private_mentions': for_private_mentions, 'for_limited_accounts': for_limited_accounts})

    def list_notification_requests(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[NotificationRequest]:
        """Whose doings your policy has set aside. One for each account whose notifications are set aside. Cursors are
        ids of notifications: take them from the Link header. ``GET /api/v1/notifications/requests``
        """
        return self._call('listNotificationRequests', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def show_merged_notification_requests(self) -> ShowMergedNotificationRequestsAnswer:
        """Whether what you accepted is among your notifications. Clients ask this after accepting a request. ``GET
        /api/v1/notifications/requests/merged``
        """
        return self._call('showMergedNotificationRequests', {})

    def accept_notification_requests(self, *, id: List[Id]) -> Empty:
        """Accept what some accounts do, and have done. What there is no request of is left out. It holds until you
        block them; of the accounts that you accept so the newest 1000 are kept. ``POST
        /api/v1/notifications/requests/accept``
        """
        return self._call('acceptNotificationRequests', {'id': id})

    def dismiss_notification_requests(self, *, id: List[Id]) -> Empty:
        """Throw away what is set aside of some accounts. What there is no request of is left out. ``POST
        /api/v1/notifications/requests/dismiss``
        """
        return self._call('dismissNotificationRequests', {'id': id})

    def show_notification_request(self, id: Id) -> NotificationRequest:
        """One request. By the id of the account. ``GET /api/v1/notifications/requests/{id}``"""
        return self._call('showNotificationRequest', {'id': id})

    def accept_notification_request(self, id: Id) -> Empty:
        """Accept what an account does, and has done. It holds until you block the account; of the accounts that you
        accept so the newest 1000 are kept. ``POST /api/v1/notifications/requests/{id}/accept``
        """
        return self._call('acceptNotificationRequest', {'id': id})

    def dismiss_notification_request(self, id: Id) -> Empty:
        """Throw away what is set aside of an account. What the account does later is set aside again. ``POST
        /api/v1/notifications/requests/{id}/dismiss``
        """
        return self._call('dismissNotificationRequest', {'id': id})

    def list_grouped_notifications(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, grouped_types: Optional[List[str]] = None, include_filtered: Optional[bool] = None, expand_accounts: Optional[Literal['full', 'partial_avatars']] = None) -> GroupedNotifications:
        """What others did that concerns you, several of a kind as one. The likes of a status, its reposts, and follows
        of one half day of UTC are a group. A group stands where its newest notification stands, so that a walk in
        either direction meets each once. ``GET /api/v2/notifications``
        """
        return self._call('listGroupedNotifications', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'grouped_types': grouped_types, 'include_filtered': include_filtered, 'expand_accounts': expand_accounts})

    def count_grouped_notifications(self, *, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, grouped_types: Optional[List[str]] = None, include_filtered: Optional[bool] = None) -> CountGroupedNotificationsAnswer:
        """How many groups have notifications that you have not read. Those that are newer than the marker of
        notifications. ``GET /api/v2/notifications/unread_count``
        """
        return self._call('countGroupedNotifications', {'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'grouped_types': grouped_types, 'include_filtered': include_filtered})

    def clear_grouped_notifications(self) -> Empty:
        """Throw all notifications away. The same as that of v1. ``POST /api/v2/notifications/clear``"""
        return self._call('clearGroupedNotifications', {})

    def show_notification_group(self, name: str) -> GroupedNotifications:
        """One group of notifications. With the accounts and the status that it is about. ``GET
        /api/v2/notifications/{name}``
        """
        return self._call('showNotificationGroup', {'name': name})

    def list_notification_group_accounts(self, name: str, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[Account]:
        """Whose doings a group tells of. The newest notification first. A group that does not exist has none. ``GET
        /api/v2/notifications/{name}/accounts``
        """
        return self._call('listNotificationGroupAccounts', {'name': name, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def dismiss_notification_group(self, name: str) -> Empty:
        """Throw a group of notifications away. A group that does not exist is no mistake. ``POST
        /api/v2/notifications/{name}/dismiss``
        """
        return self._call('dismissNotificationGroup', {'name': name})

    def dismiss_suggestion(self, id: Id) -> Empty:
        """Suggest an account no more. The newest 500 are remembered. ``DELETE /api/v1/suggestions/{id}``"""
        return self._call('dismissSuggestion', {'id': id})

    def list_suggestions(self, *, limit: Optional[int] = None) -> List[Suggestion]:
        """Accounts to follow. First whom those follow whom you have followed last, by how many of them do; then who
        posts publicly these days, by their followers. Without those whom you follow, block, mute or have dismissed,
        and who do not want to be suggested. ``GET /api/v2/suggestions``
        """
        return self._call('listSuggestions', {'limit': limit})

    def list_directory(self, *, order: Optional[Literal['active', 'new']] = None, offset: Optional[int] = None, local: Optional[bool] = None, limit: Optional[int] = None) -> List[Account]:
        """Accounts to discover. Of the 1000 accounts that have posted or signed up last those that want to be found
        (`discoverable`), without whom you block or mute and who blocks you. ``GET /api/v1/directory``
        """
        return self._call('listDirectory', {'order': order, 'offset': offset, 'local': local, 'limit': limit})

    def search(self, *, q: str, type: Optional[Literal['accounts', 'hashtags', 'statuses']] = None, resolve: Optional[bool] = None, following: Optional[bool] = None, limit: Optional[int] = None, offset: Optional[int] = None, account_id: Optional[str] = None, max_id: Optional[str] = None, min_id: Optional[str] = None) -> Search:
        """Accounts and hashtags by name, statuses by their words. Hashtags that public statuses have and that begin
        so, 60 at most: the whole name first, then those that most accounts have used in the last seven days.
        Statuses, the newest first, for who is logged in: public ones of accounts that are `indexable`, ones own,
        and those that name one; nothing of accounts that one blocks or mutes. All words must be there, in any
        order; `"phrases"`, `#tags`, `from:name` (or `from:me`), `has:media`, `has:link`, `has:quote`, `is:reply`,
        `is:sensitive`, `in:library` (ones own and those that name one), `in:public`, `language:en`, `before:`,
        `after:` and `during:` with a day of UTC such as 2026-01-31, and a minus before any of these. 422 for a
        query that is too long, has wildcards or a day that is none. ``GET /api/v2/search``
        """
        return self._call('search', {'q': q, 'type': type, 'resolve': resolve, 'following': following, 'limit': limit, 'offset': offset, 'account_id': account_id, 'max_id': max_id, 'min_id': min_id})

    def create_streaming_ticket(self) -> CreateStreamingTicketAnswer:
        """A ticket for one connection. Stands in for your token as `?ticket=` where headers cannot be set; can be used
        once, for 30 seconds. The cookie that comes with it lets the same browser come back to a stream with the
        ticket that it has used, for as long as the token is good. ``POST /api/v1/streaming/tickets``
        """
        return self._call('createStreamingTicket', {})

    def show_instance(self) -> InstanceV1:
        """What this server is and allows. As Mastodon had it before version 4; `/api/v2/instance` says more. ``GET
        /api/v1/instance``
        """
        return self._call('showInstance', {})

    def show_instance_v2(self) -> InstanceV2:
        """What this server is and allows. Its name, its limits, and which of its features are on. ``GET
        /api/v2/instance``
        """
        return self._call('showInstanceV2', {})

    def list_activity(self) -> List[Activity]:
        """Activity by week. The present week and the eleven before it, from Monday on (UTC), newest first, at most a
        minute old. Servers that have been upgraded count from then on. ``GET /api/v1/instance/activity``
        """
        return self._call('listActivity', {})

    def show_web_finger(self, *, resource: str) -> WebFinger:
        """Where an account has its page. For clients that know an account by `acct:name@host`. ``GET /.well-
        known/webfinger``
        """
        return self._call('showWebFinger', {'resource': resource})

    def list_node_info(self) -> NodeInfoLinks:
        """Where the node information is. For programs that ask which software a server runs. ``GET /.well-
        known/nodeinfo``
        """
        return self._call('listNodeInfo', {})

    def show_node_info(self) -> NodeInfo:
        """Node information. The software, its version, and how much is in use. ``GET /nodeinfo/2.0``"""
        return self._call('showNodeInfo', {})

    def create_media(self, *, file: Upload, thumbnail: Optional[Upload] = None, description: Optional[str] = None, focus: Optional[str] = None) -> MediaAttachment:
        """Upload a picture, a video or a sound. A JPEG, PNG, GIF or WebP file, as the part `file` of `multipart/form-
        data`; the instance document says how large. It is processed: turned upright, made smaller if need be, and
        written anew without metadata. Of an animation the first frame is kept. A picture that takes long, such as a
        JPEG of more than 16 megapixels or a PNG of more than 4, is answered before that, with 202 and without
        `url`: ask `GET /api/v1/media/{id}` until it is 200. It is deleted after a day unless a status takes it. A
        server bounds the bytes of all files of an account; beyond that the answer is 422, and says how many there
        are: delete posts with pictures. Or a video (MP4, QuickTime or WebM) or a sound (MP3, Ogg, FLAC, WAV, M4A,
        AAC, or WebM without video), told by its bytes. It is stored as it is; of MP4, QuickTime and M4A what tells
        of place and camera is overwritten, but for the titles and the cover of a sound. A server may take none
        (`video_size_limit` 0). ``POST /api/v2/media``
        """
        return self._call('createMedia', {'file': file, 'thumbnail': thumbnail, 'description': description, 'focus': focus})

    def show_media(self, id: Id) -> MediaAttachment:
        """One of your uploads that is not posted yet. Clients ask this until an upload is ready. 422 = it cannot be
        made, and the sentence says why. ``GET /api/v1/media/{id}``
        """
        return self._call('showMedia', {'id': id})

    def update_media(self, id: Id, *, thumbnail: Optional[Upload] = None, description: Optional[str] = None, focus: Optional[str] = None) -> MediaAttachment:
        """Change the description or the focus of an upload. Until it is posted; also while it is processed. ``PUT
        /api/v1/media/{id}``
        """
        return self._call('updateMedia', {'id': id, 'thumbnail': thumbnail, 'description': description, 'focus': focus})

    def delete_media(self, id: Id) -> Empty:
        """Delete an upload that is not posted yet. A picture of one of your newest posts gets a 422: delete the post.
        ``DELETE /api/v1/media/{id}``
        """
        return self._call('deleteMedia', {'id': id})

    def delete_avatar(self) -> CredentialAccount:
        """Take the picture out of your profile. Afterwards you have the one that is drawn for you. ``DELETE
        /api/v1/profile/avatar``
        """
        return self._call('deleteAvatar', {})

    def delete_header(self) -> CredentialAccount:
        """Take the wide picture out of your profile. Afterwards you have the one that all have at first. ``DELETE
        /api/v1/profile/header``
        """
        return self._call('deleteHeader', {})

    def list_announcements(self, *, with_dismissed: Optional[bool] = None) -> List[Announcement]:
        """Announcements. What the operator announces now, the newest first. `announcements` of `/api/v2/instance` says
        how many there are. ``GET /api/v1/announcements``
        """
        return self._call('listAnnouncements', {'with_dismissed': with_dismissed})

    def dismiss_announcement(self, id: Id) -> Empty:
        """Show an announcement no more. Also on the other devices of the account. ``POST
        /api/v1/announcements/{id}/dismiss``
        """
        return self._call('dismissAnnouncement', {'id': id})

    def list_custom_emojis(self) -> List[CustomEmoji]:
        """Custom emojis. Pictures that people write as `:shortcode:`, in the order of their shortcodes. The operator
        adds them. ``GET /api/v1/custom_emojis``
        """
        return self._call('listCustomEmojis', {})

    def show_preferences(self) -> Preferences:
        """What you prefer. From your profile: the visibility and language of your posts, what is shown of others.
        ``GET /api/v1/preferences``
        """
        return self._call('showPreferences', {})

    def show_poll(self, id: Id) -> Poll:
        """A poll. Its id is that of its status; whoever may see that may see the poll. ``GET /api/v1/polls/{id}``"""
        return self._call('showPoll', {'id': id})

    def vote_poll(self, id: Id, *, choices: Optional[List[int]] = None) -> Poll:
        """Vote. Of a poll that takes several choices, more can be chosen later. Nothing is taken back. 422 for one's
        own poll, for what one has chosen already, and when it has ended; 403 for a poll of somebody whom one
        blocks. ``POST /api/v1/polls/{id}/votes``
        """
        return self._call('votePoll', {'id': id, 'choices': choices})

    def list_scheduled_statuses(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> Page[ScheduledStatus]:
        """What you have scheduled. What is published already is not among them. ``GET /api/v1/scheduled_statuses``"""
        return self._call('listScheduledStatuses', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    def show_scheduled_status(self, id: Id) -> ScheduledStatus:
        """One that you have scheduled. 404 for somebody elses, and for one that is published. ``GET
        /api/v1/scheduled_statuses/{id}``
        """
        return self._call('showScheduledStatus', {'id': id})

    def update_scheduled_status(self, id: Id, *, scheduled_at: Optional[str] = None) -> ScheduledStatus:
        """Have it published at another time. Without a time it stays as it is. ``PUT /api/v1/scheduled_statuses/{id}``"""
        return self._call('updateScheduledStatus', {'id': id, 'scheduled_at': scheduled_at})

    def delete_scheduled_status(self, id: Id) -> Empty:
        """Cancel it. Its pictures can be posted for another day. ``DELETE /api/v1/scheduled_statuses/{id}``"""
        return self._call('deleteScheduledStatus', {'id': id})

    def list_held_statuses(self) -> List[HeldStatus]:
        """Your posts that wait for a moderator. All of them, the newest first. A post waits when `createStatus`
        answers 422 with the code `ERR_HELD`: it is published when a moderator approves it. ``GET
        /api/v1/held_statuses``
        """
        return self._call('listHeldStatuses', {})

    def show_held_status(self, id: Id) -> HeldStatus:
        """A post of yours that waits for a moderator. 404 for that of somebody else, and for one that waits no more.
        ``GET /api/v1/held_statuses/{id}``
        """
        return self._call('showHeldStatus', {'id': id})

    def delete_held_status(self, id: Id) -> Empty:
        """Withdraw a post that waits for a moderator. Its pictures can be posted for another day. ``DELETE
        /api/v1/held_statuses/{id}``
        """
        return self._call('deleteHeldStatus', {'id': id})

    def list_rules(self) -> Rules:
        """Rules. The rules of this server, in the order of the operator. A report names the ones that are broken.
        ``GET /api/v1/instance/rules``
        """
        return self._call('listRules', {})

    def show_extended_description(self) -> SiteText:
        """A longer description. For clients that show it beside the short one. ``GET
        /api/v1/instance/extended_description``
        """
        return self._call('showExtendedDescription', {})

    def show_privacy_policy(self) -> SiteText:
        """The privacy policy. For clients that show it before a sign-up. ``GET /api/v1/instance/privacy_policy``"""
        return self._call('showPrivacyPolicy', {})

    def show_terms(self) -> TermsOfService:
        """The terms of service. The version in force. Before any is in force, the first one. ``GET
        /api/v1/instance/terms_of_service``
        """
        return self._call('showTerms', {})

    def show_terms_of(self, id: str) -> TermsOfService:
        """One version of the terms of service. Former and coming versions too. ``GET
        /api/v1/instance/terms_of_service/{id}``
        """
        return self._call('showTermsOf', {'id': id})

    def list_languages(self) -> List[ListLanguagesAnswer]:
        """Languages. For clients that let people choose the language of a post. ``GET /api/v1/instance/languages``"""
        return self._call('listLanguages', {})


class AsyncCalls:
    """One method for each operation."""

    async def _call(self, name: str, values: Dict[str, Any], idempotency_key: Optional[str] = None) -> Any:
        raise NotImplementedError

    async def create_app(self, *, client_name: str, redirect_uris: str, scopes: Optional[str] = None, website: Optional[str] = None) -> CredentialApplication:
        """Register a client application. Nobody needs to be logged in. `scopes` bounds what its tokens can be for.
        ``POST /api/v1/apps``
        """
        return await self._call('createApp', {'client_name': client_name, 'redirect_uris': redirect_uris, 'scopes': scopes, 'website': website})

    async def verify_app(self) -> Application:
        """The application of this token. 404 for a token that was made without an application. ``GET
        /api/v1/apps/verify_credentials``
        """
        return await self._call('verifyApp', {})

    async def create_token(self, *, grant_type: Literal['authorization_code', 'client_credentials', 'password'], client_id: str, client_secret: str, redirect_uri: Optional[str] = None, scope: Optional[str] = None, code: Optional[str] = None, code_verifier: Optional[str] = None, username: Optional[str] = None, password: Optional[str] = None) -> Token:
        """Get a token. Answers to the password grant can be read by no page of another site (no `Access-Control-Allow-
        Origin`), and a request of one is refused with 403. ``POST /oauth/token``
        """
        return await self._call('createToken', {'grant_type': grant_type, 'client_id': client_id, 'client_secret': client_secret, 'redirect_uri': redirect_uri, 'scope': scope, 'code': code, 'code_verifier': code_verifier, 'username': username, 'password': password})

    async def revoke_token(self, *, token: str, client_id: Optional[str] = None, client_secret: Optional[str] = None) -> Empty:
        """End a token. What is no token, or no more, counts as ended. ``POST /oauth/revoke``"""
        return await self._call('revokeToken', {'client_id': client_id, 'client_secret': client_secret, 'token': token})

    async def show_authorization_server(self) -> AuthorizationServer:
        """What OAuth can do here. For clients that look for the addresses and grants (RFC 8414). ``GET /.well-
        known/oauth-authorization-server``
        """
        return await self._call('showAuthorizationServer', {})

    async def create_account(self, *, username: str, email: str, password: str, agreement: bool, invite_code: Optional[str] = None, locale: Optional[str] = None, reason: Optional[str] = None, challenge: Optional[str] = None, nonce: Optional[str] = None, idempotency_key: Optional[str] = None) -> Token:
        """Sign up. With or without the token of an application. 403 when registrations are closed. Where sign-ups need
        approval, the account waits for a moderator, and until then its token is answered 403. ``POST
        /api/v1/accounts``
        """
        return await self._call('createAccount', {'username': username, 'email': email, 'password': password, 'agreement': agreement, 'invite_code': invite_code, 'locale': locale, 'reason': reason, 'challenge': challenge, 'nonce': nonce}, idempotency_key)

    async def list_accounts(self, *, id: Optional[List[str]] = None) -> List[Account]:
        """Several accounts at once. In the order asked; unknown ids are left out. ``GET /api/v1/accounts``"""
        return await self._call('listAccounts', {'id': id})

    async def change_password(self, *, current_password: str, password: str) -> Empty:
        """Change your password. Every other token of yours ends within a second, open streams with it. ``POST
        /api/v1/accounts/password``
        """
        return await self._call('changePassword', {'current_password': current_password, 'password': password})

    async def show_address(self) -> Address:
        """Your e-mail address, shortened. Of each address the first character and the domain. ``GET
        /api/v1/accounts/email``
        """
        return await self._call('showAddress', {})

    async def change_address(self, *, current_password: str, email: str) -> Empty:
        """Change your e-mail address. Where the server sends mails, a link goes to the new address, and the change
        takes effect when it is used, within a day. The former address gets a notice with a link that restores it
        within seven days; until then the address cannot be changed again (403). Elsewhere the change takes effect
        at once. Ten requests in a day, and three mails to an address in an hour. ``POST /api/v1/accounts/email``
        """
        return await self._call('changeAddress', {'current_password': current_password, 'email': email})

    async def send_confirmation(self, *, email: Optional[str] = None) -> Empty:
        """Send the mail that confirms your address again. 403 when the address waits for no confirmation. Three mails
        go to an address in an hour. With another `email` the link goes there, and the account gets that address
        when it is used; an account that works without a confirmation may do so for a day. ``POST
        /api/v1/emails/confirmations``
        """
        return await self._call('sendConfirmation', {'email': email})

    async def check_confirmation(self) -> bool:
        """Whether your address waits for no confirmation. Also true on a server that sends no mails. ``GET
        /api/v1/emails/check_confirmation``
        """
        return await self._call('checkConfirmation', {})

    async def delete_account(self, *, current_password: str) -> Empty:
        """Delete your account, for your password. For good. From the answer on nobody is shown the account or what it
        has written. Within a second none of its tokens is good, and its open streams end. Jobs then erase what it
        has. Its name is never given to anybody again. ``POST /api/v1/accounts/delete``
        """
        return await self._call('deleteAccount', {'current_password': current_password})

    async def list_tokens(self) -> List[ListedToken]:
        """Your tokens that this application holds. Newest first, at most 200. Those of other applications: `POST
        /api/v1/tokens/list`. ``GET /api/v1/tokens``
        """
        return await self._call('listTokens', {})

    async def end_token(self, id: str) -> Empty:
        """End one of your tokens that this application holds. Those of other applications: `POST
        /api/v1/tokens/{id}/revoke`. ``DELETE /api/v1/tokens/{id}``
        """
        return await self._call('endToken', {'id': id})

    async def list_all_tokens(self, *, current_password: str) -> List[ListedToken]:
        """All tokens of your account, for its password. Newest first, at most 200. The tokens of other applications
        are your other sessions: a token alone does not prove that you are there. ``POST /api/v1/tokens/list``
        """
        return await self._call('listAllTokens', {'current_password': current_password})

    async def end_other_tokens(self, *, current_password: str) -> Empty:
        """End all of your other tokens, for your password. Also those that other applications hold. That of this
        request stays. ``POST /api/v1/tokens/revoke_others``
        """
        return await self._call('endOtherTokens', {'current_password': current_password})

    async def end_any_token(self, id: str, *, current_password: str) -> Empty:
        """End one of your tokens, for your password. Also one that another application holds. ``POST
        /api/v1/tokens/{id}/revoke``
        """
        return await self._call('endAnyToken', {'id': id, 'current_password': current_password})

    async def show_challenge(self) -> Challenge:
        """A proof of work for a sign-up. Where `auth.sign-up-challenge` demands one, a sign-up carries `challenge` and
        a `nonce`, at most 32 letters, digits, `-` and `_`, with which the SHA-256 digest of `challenge.nonce` (with
        a dot between) begins with `bits` zero bits. A challenge is good for ten minutes and one try. ``GET
        /api/v1/accounts/challenge``
        """
        return await self._call('showChallenge', {})

    async def show_factor(self) -> Factor:
        """Your second factor. Without its secrets. ``GET /api/v1/factor``"""
        return await self._call('showFactor', {})

    async def begin_factor(self, *, current_password: str) -> NewFactor:
        """Begin a second factor. Draws a secret for an authenticator app (TOTP, RFC 6238), for your password. It waits
        ten minutes for its first code. 422 when the account has a second factor. ``POST /api/v1/factor``
        """
        return await self._call('beginFactor', {'current_password': current_password})

    async def enable_factor(self, *, code: str) -> RecoveryCodes:
        """Enable your second factor. By the first code of the authenticator app. From then on log-ins need a code, and
        the password grant is refused. ``POST /api/v1/factor/enable``
        """
        return await self._call('enableFactor', {'code': code})

    async def confirm_factor(self, *, code: str) -> Empty:
        """Confirm that it is you. With a code of your second factor, for what answers 403 with `ERR_CODE_NEEDED` in
        `details.code`. It counts for this token, for ten minutes, and for an hour for acts of moderators. ``POST
        /api/v1/factor/confirm``
        """
        return await self._call('confirmFactor', {'code': code})

    async def renew_codes(self, *, code: str) -> RecoveryCodes:
        """New recovery codes. For a code. The old ones are good no more. ``POST /api/v1/factor/codes``"""
        return await self._call('renewCodes', {'code': code})

    async def disable_factor(self, *, current_password: str, code: str) -> Empty:
        """Remove your second factor. For your password and a code. ``POST /api/v1/factor/disable``"""
        return await self._call('disableFactor', {'current_password': current_password, 'code': code})

    async def check_availability(self, *, username: Optional[str] = None, email: Optional[str] = None) -> Availability:
        """Whether a user name or address is free. As it is at the moment: somebody else may be faster. ``GET
        /api/v1/accounts/available``
        """
        return await self._call('checkAvailability', {'username': username, 'email': email})

    async def verify_credentials(self) -> CredentialAccount:
        """Your own account. With `source`, which only you see: the defaults of your posts, and the profile as you have
        typed it. ``GET /api/v1/accounts/verify_credentials``
        """
        return await self._call('verifyCredentials', {})

    async def update_credentials(self, *, display_name: Optional[str] = None, note: Optional[str] = None, locked: Optional[bool] = None, bot: Optional[bool] = None, discoverable: Optional[bool] = None, indexable: Optional[bool] = None, fields_attributes: Optional[List[UpdateCredentialsFieldsAttributes]] = None, hide_collections: Optional[bool] = None, attribution_domains: Optional[List[str]] = None, avatar: Optional[Upload] = None, header: Optional[Upload] = None, source: Optional[UpdateCredentialsSource] = None) -> CredentialAccount:
        """Change your profile. What is not said stays as it is. ``PATCH /api/v1/accounts/update_credentials``"""
        return await self._call('updateCredentials', {'display_name': display_name, 'note': note, 'locked': locked, 'bot': bot, 'discoverable': discoverable, 'indexable': indexable, 'fields_attributes': fields_attributes, 'hide_collections': hide_collections, 'attribution_domains': attribution_domains, 'avatar': avatar, 'header': header, 'source': source})

    async def lookup_account(self, *, acct: str) -> Account:
        """An account by its name. The whole name; `/api/v1/accounts/search` finds parts. ``GET
        /api/v1/accounts/lookup``
        """
        return await self._call('lookupAccount', {'acct': acct})

    async def search_accounts(self, *, q: str, limit: Optional[int] = None, offset: Optional[int] = None, following: Optional[bool] = None, resolve: Optional[bool] = None) -> List[Account]:
        """Accounts whose name begins so. For completing a name while it is typed. ``GET /api/v1/accounts/search``"""
        return await self._call('searchAccounts', {'q': q, 'limit': limit, 'offset': offset, 'following': following, 'resolve': resolve})

    async def show_account(self, id: Id) -> Account:
        """An account. Nobody needs to be logged in. A suspended account gets the 404 of one that does not exist. ``GET
        /api/v1/accounts/{id}``
        """
        return await self._call('showAccount', {'id': id})

    async def list_account_statuses(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, exclude_replies: Optional[bool] = None, exclude_reblogs: Optional[bool] = None, pinned: Optional[bool] = None, only_media: Optional[bool] = None, tagged: Optional[str] = None) -> AsyncPage[Status]:
        """Statuses of an account. Those that you may see, without comments. The parameters leave some of them out.
        ``GET /api/v1/accounts/{id}/statuses``
        """
        return await self._call('listAccountStatuses', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'exclude_replies': exclude_replies, 'exclude_reblogs': exclude_reblogs, 'pinned': pinned, 'only_media': only_media, 'tagged': tagged})

    async def list_account_comments(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Comments by an account. Those that you may see, the newest first, also under statuses that are deleted.
        Replies made as posts are among the statuses of the account. ``GET /api/v1/accounts/{id}/comments``
        """
        return await self._call('listAccountComments', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_relationships(self, *, id: Optional[List[Id]] = None) -> List[Relationship]:
        """How you stand to accounts. One for each account that exists. ``GET /api/v1/accounts/relationships``"""
        return await self._call('listRelationships', {'id': id})

    async def list_familiar_followers(self, *, id: Optional[List[Id]] = None) -> List[FamiliarFollowers]:
        """Followers of accounts whom you follow. For each account, whom you follow of those who follow it. ``GET
        /api/v1/accounts/familiar_followers``
        """
        return await self._call('listFamiliarFollowers', {'id': id})

    async def list_followers(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AccountEntry]:
        """Who follows an account. Cursors are opaque: take them from the Link header. ``GET
        /api/v1/accounts/{id}/followers``
        """
        return await self._call('listFollowers', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_following(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AccountEntry]:
        """Whom an account follows. Cursors are opaque: take them from the Link header. ``GET
        /api/v1/accounts/{id}/following``
        """
        return await self._call('listFollowing', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_common_following(self, id: Id, *, with_: Optional[Id] = None, order_of: Optional[Id] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Accounts that two accounts follow. In the order of the follows of one of them. Empty when one of them hides
        whom it follows. ``GET /api/v1/accounts/{id}/common_following``
        """
        return await self._call('listCommonFollowing', {'id': id, 'with': with_, 'order_of': order_of, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def follow_account(self, id: Id, *, reblogs: Optional[bool] = None, languages: Optional[List[str]] = None, notify: Optional[bool] = None) -> Relationship:
        """Follow an account. Who is locked is asked: then `requested` is true, and `following` is not. ``POST
        /api/v1/accounts/{id}/follow``
        """
        return await self._call('followAccount', {'id': id, 'reblogs': reblogs, 'languages': languages, 'notify': notify})

    async def unfollow_account(self, id: Id) -> Relationship:
        """Follow an account no more. It is answered in the same way when you do not follow it. A request to follow is
        taken back. ``POST /api/v1/accounts/{id}/unfollow``
        """
        return await self._call('unfollowAccount', {'id': id})

    async def remove_follower(self, id: Id) -> Relationship:
        """Make an account follow you no more. It can follow you again. To prevent that, block it. ``POST
        /api/v1/accounts/{id}/remove_from_followers``
        """
        return await self._call('removeFollower', {'id': id})

    async def block_account(self, id: Id) -> Relationship:
        """Block an account. Ends the follows in both directions. ``POST /api/v1/accounts/{id}/block``"""
        return await self._call('blockAccount', {'id': id})

    async def unblock_account(self, id: Id) -> Relationship:
        """Block an account no more. The follows that the block has ended do not come back. ``POST
        /api/v1/accounts/{id}/unblock``
        """
        return await self._call('unblockAccount', {'id': id})

    async def mute_account(self, id: Id, *, notifications: Optional[bool] = None, duration: Optional[int] = None) -> Relationship:
        """Mute an account. Your timelines leave it out, though you may follow it. `duration` gives the mute an end.
        ``POST /api/v1/accounts/{id}/mute``
        """
        return await self._call('muteAccount', {'id': id, 'notifications': notifications, 'duration': duration})

    async def unmute_account(self, id: Id) -> Relationship:
        """Mute an account no more. It is answered in the same way when you do not mute it. ``POST
        /api/v1/accounts/{id}/unmute``
        """
        return await self._call('unmuteAccount', {'id': id})

    async def note_account(self, id: Id, *, comment: Optional[str] = None) -> Relationship:
        """Note something about an account. You alone see it. An empty comment ends it. Notes about at most 500
        accounts. ``POST /api/v1/accounts/{id}/note``
        """
        return await self._call('noteAccount', {'id': id, 'comment': comment})

    async def endorse_account(self, id: Id) -> Relationship:
        """Recommend an account on your profile. You must follow it: the recommendation ends with the follow. At most
        100 accounts. ``POST /api/v1/accounts/{id}/endorse``
        """
        return await self._call('endorseAccount', {'id': id})

    async def unendorse_account(self, id: Id) -> Relationship:
        """Recommend an account no more. It is answered in the same way when you do not recommend it. ``POST
        /api/v1/accounts/{id}/unendorse``
        """
        return await self._call('unendorseAccount', {'id': id})

    async def list_endorsements(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Accounts that you recommend. In the order of your follows, newest first. Cursors are opaque: take them from
        the Link header. ``GET /api/v1/endorsements``
        """
        return await self._call('listEndorsements', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_endorsements_of(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Accounts that an account recommends. In the order of its follows, newest first. Cursors are opaque: take
        them from the Link header. ``GET /api/v1/accounts/{id}/endorsements``
        """
        return await self._call('listEndorsementsOf', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_featured_tags(self) -> List[FeaturedTag]:
        """Hashtags on your profile. With how often your newest posts have them. ``GET /api/v1/featured_tags``"""
        return await self._call('listFeaturedTags', {})

    async def feature_tag(self, *, name: str) -> FeaturedTag:
        """Show a hashtag on your profile. At most ten; one that is there stays as it is. ``POST
        /api/v1/featured_tags``
        """
        return await self._call('featureTag', {'name': name})

    async def list_featured_tag_suggestions(self) -> List[Tag]:
        """Hashtags for your profile. Those that you have used most in your newest 200 posts and do not feature, ten at
        most. ``GET /api/v1/featured_tags/suggestions``
        """
        return await self._call('listFeaturedTagSuggestions', {})

    async def unfeature_tag(self, id: Id) -> Empty:
        """Take a hashtag off your profile. By its id, which `/api/v1/featured_tags` says. ``DELETE
        /api/v1/featured_tags/{id}``
        """
        return await self._call('unfeatureTag', {'id': id})

    async def list_featured_tags_of(self, id: Id) -> List[FeaturedTag]:
        """Hashtags on a profile. With how often its newest posts have them. ``GET
        /api/v1/accounts/{id}/featured_tags``
        """
        return await self._call('listFeaturedTagsOf', {'id': id})

    async def feature_tag_by_name(self, tag: str) -> Tag:
        """Show a hashtag on your profile, by its name. At most ten; one that is there stays as it is. ``POST
        /api/v1/tags/{tag}/feature``
        """
        return await self._call('featureTagByName', {'tag': tag})

    async def unfeature_tag_by_name(self, tag: str) -> Tag:
        """Take a hashtag off your profile, by its name. It is answered in the same way when it is not there. ``POST
        /api/v1/tags/{tag}/unfeature``
        """
        return await self._call('unfeatureTagByName', {'tag': tag})

    async def list_followed_tags(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Tag]:
        """Hashtags that you follow. Those whose public posts stand in your home. ``GET /api/v1/followed_tags``"""
        return await self._call('listFollowedTags', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def follow_tag(self, tag: str) -> Tag:
        """Follow a hashtag. Public posts with it stand in your home until you unfollow it, earlier ones too, whoever
        has written them; 50 hashtags at most. ``POST /api/v1/tags/{tag}/follow``
        """
        return await self._call('followTag', {'tag': tag})

    async def unfollow_tag(self, tag: str) -> Tag:
        """Follow a hashtag no more. Its posts leave your home, unless you follow those who have written them. ``POST
        /api/v1/tags/{tag}/unfollow``
        """
        return await self._call('unfollowTag', {'tag': tag})

    async def list_follow_requests(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Who asks to follow you. Newest first. Cursors are opaque: take them from the Link header. ``GET
        /api/v1/follow_requests``
        """
        return await self._call('listFollowRequests', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def authorize_follow_request(self, id: Id) -> Relationship:
        """Let an account follow you that has asked to. The id is that of the account. ``POST
        /api/v1/follow_requests/{id}/authorize``
        """
        return await self._call('authorizeFollowRequest', {'id': id})

    async def reject_follow_request(self, id: Id) -> Relationship:
        """Refuse the request of an account to follow you. The id is that of the account. ``POST
        /api/v1/follow_requests/{id}/reject``
        """
        return await self._call('rejectFollowRequest', {'id': id})

    async def create_report(self, *, account_id: str, status_ids: Optional[List[str]] = None, comment: Optional[str] = None, category: Optional[Literal['spam', 'legal', 'violation', 'other']] = None, rule_ids: Optional[List[str]] = None, forward: Optional[bool] = None) -> Report:
        """Report an account to the operator. The operator reads it on the command line. At most 50 open reports of one
        account; when the server has as many as it keeps, a report of an account without an open one takes the place
        of another. Statuses must be of the account and visible to you. There are no rules here, so the category
        `violation` is refused; `forward` does nothing. ``POST /api/v1/reports``
        """
        return await self._call('createReport', {'account_id': account_id, 'status_ids': status_ids, 'comment': comment, 'category': category, 'rule_ids': rule_ids, 'forward': forward})

    async def list_admin_accounts(self, *, local: Optional[bool] = None, remote: Optional[bool] = None, active: Optional[bool] = None, pending: Optional[bool] = None, disabled: Optional[bool] = None, silenced: Optional[bool] = None, suspended: Optional[bool] = None, sensitized: Optional[bool] = None, staff: Optional[bool] = None, username: Optional[str] = None, display_name: Optional[str] = None, by_domain: Optional[str] = None, email: Optional[str] = None, ip: Optional[str] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AdminAccount]:
        """Accounts for moderators. All that is given must hold. Without a name, an e-mail address, a role or a
        restriction, the 1000 accounts that have signed up last are looked through; by the beginning of a name 500
        at most. For the permission Manage Users. ``GET /api/v1/admin/accounts``
        """
        return await self._call('listAdminAccounts', {'local': local, 'remote': remote, 'active': active, 'pending': pending, 'disabled': disabled, 'silenced': silenced, 'suspended': suspended, 'sensitized': sensitized, 'staff': staff, 'username': username, 'display_name': display_name, 'by_domain': by_domain, 'email': email, 'ip': ip, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_admin_accounts_v2(self, *, origin: Optional[Literal['local', 'remote']] = None, status: Optional[Literal['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized']] = None, permissions: Optional[Literal['staff']] = None, role_ids: Optional[List[str]] = None, invited_by: Optional[Id] = None, username: Optional[str] = None, display_name: Optional[str] = None, by_domain: Optional[str] = None, email: Optional[str] = None, ip: Optional[str] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AdminAccount]:
        """Accounts for moderators, by state. All that is given must hold. Without a name, an e-mail address, a role or
        a restriction, the 1000 accounts that have signed up last are looked through; by the beginning of a name 500
        at most. For the permission Manage Users. ``GET /api/v2/admin/accounts``
        """
        return await self._call('listAdminAccountsV2', {'origin': origin, 'status': status, 'permissions': permissions, 'role_ids': role_ids, 'invited_by': invited_by, 'username': username, 'display_name': display_name, 'by_domain': by_domain, 'email': email, 'ip': ip, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def show_admin_account(self, id: Id) -> AdminAccount:
        """An account for moderators. Also a suspended one. For the permission Manage Users. ``GET
        /api/v1/admin/accounts/{id}``
        """
        return await self._call('showAdminAccount', {'id': id})

    async def delete_admin_account(self, id: Id) -> AdminAccount:
        """Delete a suspended account for good. Its name is never given to anybody again. 403 unless it is suspended.
        For the permission Delete User Data. Answers the account as it was. ``DELETE /api/v1/admin/accounts/{id}``
        """
        return await self._call('deleteAdminAccount', {'id': id})

    async def act_on_account(self, id: Id, *, type: Literal['none', 'sensitive', 'silence', 'suspend'], report_id: Optional[str] = None, text: Optional[str] = None, why: Optional[str] = None, warning_preset_id: Optional[str] = None, send_email_notification: Optional[bool] = None) -> Dict[str, Any]:
        """Act on an account. `silence` limits it, `sensitive` marks its new posts, `suspend` suspends it, and `none`
        does no more than warn. The account is warned in any case; the same act with the same message within an hour
        warns once. `disable` is refused. The report that is named is resolved, and the warning names its posts.
        Moderators act on users, admins on moderators too, owners on everybody else; an owner is restricted by
        nobody. ``POST /api/v1/admin/accounts/{id}/action``
        """
        return await self._call('actOnAccount', {'id': id, 'type': type, 'report_id': report_id, 'text': text, 'why': why, 'warning_preset_id': warning_preset_id, 'send_email_notification': send_email_notification})

    async def approve_account(self, id: Id) -> AdminAccount:
        """Approve an account. The account is an ordinary one from then on, and the tokens of its sign-up are good. 403
        when it does not wait for approval. For the permission Manage Users. ``POST
        /api/v1/admin/accounts/{id}/approve``
        """
        return await self._call('approveAccount', {'id': id})

    async def reject_account(self, id: Id) -> AdminAccount:
        """Reject an account. The account is erased, and its name and address are free again. 403 when it does not wait
        for approval. For the permission Manage Users. ``POST /api/v1/admin/accounts/{id}/reject``
        """
        return await self._call('rejectAccount', {'id': id})

    async def enable_account(self, id: Id) -> AdminAccount:
        """Enable an account. Changes nothing: no account is disabled. ``POST /api/v1/admin/accounts/{id}/enable``"""
        return await self._call('enableAccount', {'id': id})

    async def unsilence_account(self, id: Id) -> AdminAccount:
        """Lift the limit of an account. Changes nothing when there is none. ``POST
        /api/v1/admin/accounts/{id}/unsilence``
        """
        return await self._call('unsilenceAccount', {'id': id})

    async def unsensitive_account(self, id: Id) -> AdminAccount:
        """Take the mark of a sensitive account back. Changes nothing when there is none. ``POST
        /api/v1/admin/accounts/{id}/unsensitive``
        """
        return await self._call('unsensitiveAccount', {'id': id})

    async def unsuspend_account(self, id: Id) -> AdminAccount:
        """Lift the suspension of an account. 403 when it is not suspended. ``POST
        /api/v1/admin/accounts/{id}/unsuspend``
        """
        return await self._call('unsuspendAccount', {'id': id})

    async def list_admin_reports(self, *, resolved: Optional[bool] = None, account_id: Optional[Id] = None, target_account_id: Optional[Id] = None, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AdminReport]:
        """Reports of users. The open ones, or the resolved ones. For the permission Manage Reports. ``GET
        /api/v1/admin/reports``
        """
        return await self._call('listAdminReports', {'resolved': resolved, 'account_id': account_id, 'target_account_id': target_account_id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def show_admin_report(self, id: Id) -> AdminReport:
        """A report. Open or resolved. ``GET /api/v1/admin/reports/{id}``"""
        return await self._call('showAdminReport', {'id': id})

    async def update_admin_report(self, id: Id, *, category: Optional[Literal['spam', 'legal', 'violation', 'other']] = None, rule_ids: Optional[List[str]] = None) -> AdminReport:
        """Classify a report. There are no rules, so the category `violation` is refused. ``PUT
        /api/v1/admin/reports/{id}``
        """
        return await self._call('updateAdminReport', {'id': id, 'category': category, 'rule_ids': rule_ids})

    async def assign_report(self, id: Id) -> AdminReport:
        """Take a report. Also from another moderator. ``POST /api/v1/admin/reports/{id}/assign_to_self``"""
        return await self._call('assignReport', {'id': id})

    async def unassign_report(self, id: Id) -> AdminReport:
        """Give a report back. So that another moderator takes it. ``POST /api/v1/admin/reports/{id}/unassign``"""
        return await self._call('unassignReport', {'id': id})

    async def resolve_report(self, id: Id) -> AdminReport:
        """Resolve a report. Its reporter may send another one. The newest 2000 resolved ones are kept. ``POST
        /api/v1/admin/reports/{id}/resolve``
        """
        return await self._call('resolveReport', {'id': id})

    async def reopen_report(self, id: Id) -> AdminReport:
        """Reopen a report. 422 when as many are open as the server keeps. ``POST /api/v1/admin/reports/{id}/reopen``"""
        return await self._call('reopenReport', {'id': id})

    async def delete_admin_status(self, id: Id, *, text: Optional[str] = None, why: Optional[str] = None, report_id: Optional[str] = None) -> AccountWarning:
        """Delete a post. It is deleted as by its author, who is warned. Doing it again changes nothing and answers the
        same warning; a post that its author has deleted is unknown. The report that is named is resolved. For the
        permission Manage Reports; moderators act on users, admins on moderators too, and nobody on an owner. ``POST
        /api/v1/admin/statuses/{id}/delete``
        """
        return await self._call('deleteAdminStatus', {'id': id, 'text': text, 'why': why, 'report_id': report_id})

    async def mark_admin_status(self, id: Id, *, text: Optional[str] = None, why: Optional[str] = None, report_id: Optional[str] = None) -> AccountWarning:
        """Mark a post as sensitive. Whatever its author chooses, also in an edit, until the warning is overturned.
        Streams get the post as they get an edit. Doing it again changes nothing and answers the same warning. 422
        for a repost. Otherwise as the delete. ``POST /api/v1/admin/statuses/{id}/sensitive``
        """
        return await self._call('markAdminStatus', {'id': id, 'text': text, 'why': why, 'report_id': report_id})

    async def list_appeals(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AccountWarning]:
        """Appeals that wait for a decision. Warnings with their appeals, the newest warning first; at most 5000 wait.
        One that is decided already was cut off: the same decision again completes it. For the permission Manage
        Reports. ``GET /api/v1/admin/appeals``
        """
        return await self._call('listAppeals', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_moderator_notes(self, id: Id) -> List[ModeratorNote]:
        """Notes of moderators on an account. All of them, the newest first. The account itself never reads them. For
        the permission Manage Users, over the account. ``GET /api/v1/admin/accounts/{id}/notes``
        """
        return await self._call('listModeratorNotes', {'id': id})

    async def add_moderator_note(self, id: Id, *, text: str) -> ModeratorNote:
        """Add a note on an account. An account has 100 at most. For the permission Manage Users, over the account.
        ``POST /api/v1/admin/accounts/{id}/notes``
        """
        return await self._call('addModeratorNote', {'id': id, 'text': text})

    async def remove_moderator_note(self, id: Id, name: str) -> Empty:
        """Remove a note on an account. For the permission Manage Users, over the account. ``DELETE
        /api/v1/admin/accounts/{id}/notes/{name}``
        """
        return await self._call('removeModeratorNote', {'id': id, 'name': name})

    async def approve_appeal(self, id: Id, warning: str, *, why: Optional[str] = None) -> AccountWarning:
        """Approve an appeal. The warning is overturned: the restriction of the account or the mark of the post is
        taken back. A deleted post stays deleted. Once: the same decision again answers the same, another one 422.
        For the permission Manage Reports, over the account. ``POST
        /api/v1/admin/accounts/{id}/appeals/{warning}/approve``
        """
        return await self._call('approveAppeal', {'id': id, 'warning': warning, 'why': why})

    async def reject_appeal(self, id: Id, warning: str, *, why: Optional[str] = None) -> AccountWarning:
        """Reject an appeal. Nothing else changes. Once: the same decision again answers the same, another one 422. For
        the permission Manage Reports, over the account. ``POST
        /api/v1/admin/accounts/{id}/appeals/{warning}/reject``
        """
        return await self._call('rejectAppeal', {'id': id, 'warning': warning, 'why': why})

    async def list_all_held_statuses(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[HeldStatus]:
        """Posts that wait for a moderator. The newest first; at most 2000 wait, each for 14 days. Posts of accounts
        that are suspended end when they are listed. For the permission Manage Reports. ``GET
        /api/v1/admin/held_statuses``
        """
        return await self._call('listAllHeldStatuses', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def approve_held_status(self, id: Id, held: str, *, trust: Optional[bool] = None, why: Optional[str] = None) -> Empty:
        """Approve a post that waits. A job publishes it within seconds, once, or at the time for which its author has
        scheduled it. 404 when it waits no more, 422 while its author is suspended. For the permission Manage
        Reports, over the account. ``POST /api/v1/admin/accounts/{id}/held_statuses/{held}/approve``
        """
        return await self._call('approveHeldStatus', {'id': id, 'held': held, 'trust': trust, 'why': why})

    async def reject_held_status(self, id: Id, held: str, *, text: Optional[str] = None, why: Optional[str] = None) -> Empty:
        """Reject a post that waits. It is not published, and its author gets an AccountWarning of the action `none`
        with the message. 404 when it waits no more. For the permission Manage Reports, over the account. ``POST
        /api/v1/admin/accounts/{id}/held_statuses/{held}/reject``
        """
        return await self._call('rejectHeldStatus', {'id': id, 'held': held, 'text': text, 'why': why})

    async def list_selections(self) -> List[AccountSelection]:
        """Selections of accounts. The newest first, without their accounts. One without an act is kept for an hour,
        another for 48 hours after its act or its undo. For the permission Manage Users. ``GET
        /api/v1/admin/selections``
        """
        return await self._call('listSelections', {})

    async def create_selection(self, *, signed_up_from: Optional[str] = None, signed_up_like: Optional[str] = None, wide: Optional[bool] = None, signed_up_since: Optional[str] = None, signed_up_until: Optional[str] = None, text: Optional[str] = None, usernames: Optional[List[str]] = None) -> AccountSelection:
        """Select many accounts. At least one criterion is given, and an account must meet all of them. Nothing happens
        to the accounts. At most 5000 are selected, the earliest sign-ups; a search takes 3 seconds at most. At most
        200 selections are kept. For the permission Manage Users. ``POST /api/v1/admin/selections``
        """
        return await self._call('createSelection', {'signed_up_from': signed_up_from, 'signed_up_like': signed_up_like, 'wide': wide, 'signed_up_since': signed_up_since, 'signed_up_until': signed_up_until, 'text': text, 'usernames': usernames})

    async def show_selection(self, id: Id) -> AccountSelection:
        """A selection of accounts. With its first accounts, and how far the act on it is. For the permission Manage
        Users. ``GET /api/v1/admin/selections/{id}``
        """
        return await self._call('showSelection', {'id': id})

    async def act_on_selection(self, id: Id, *, type: Literal['sensitive', 'silence', 'suspend'], text: Optional[str] = None, why: Optional[str] = None) -> AccountSelection:
        """Act on all accounts of a selection. A job changes them, 50 at a time; accounts that the role of the
        moderator does not reach are left out. Each account that is changed gets a warning. Once: the same act again
        makes sure of its job, another one answers 422. For the permission Manage Users. ``POST
        /api/v1/admin/selections/{id}/act``
        """
        return await self._call('actOnSelection', {'id': id, 'type': type, 'text': text, 'why': why})

    async def undo_selection(self, id: Id, *, why: Optional[str] = None) -> AccountSelection:
        """Undo the act on a selection. Within 24 hours of its begin, also while it runs. A job lifts the restriction
        from each account that the act has restricted, unless somebody has acted on that restriction since. Warnings
        stay. For the permission Manage Users. ``POST /api/v1/admin/selections/{id}/undo``
        """
        return await self._call('undoSelection', {'id': id, 'why': why})

    async def list_ip_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AdminIpBlock]:
        """Blocks of networks. At most 10000. For the permission Manage Blocks. ``GET /api/v1/admin/ip_blocks``"""
        return await self._call('listIpBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def create_ip_block(self, *, ip: str, severity: IpBlockSeverity, comment: Optional[str] = None, expires_in: Optional[int] = None) -> AdminIpBlock:
        """Block a network. `no_access` refuses every request and ends open streams, the others refuse sign-ups. Each
        process follows within two seconds. A network that contains your own address or the server itself is
        refused, and one of less than 8 bits (IPv6: 16). For the permission Manage Blocks. ``POST
        /api/v1/admin/ip_blocks``
        """
        return await self._call('createIpBlock', {'ip': ip, 'severity': severity, 'comment': comment, 'expires_in': expires_in})

    async def show_ip_block(self, id: Id) -> AdminIpBlock:
        """A block of a network. For the permission Manage Blocks. ``GET /api/v1/admin/ip_blocks/{id}``"""
        return await self._call('showIpBlock', {'id': id})

    async def update_ip_block(self, id: Id, *, ip: Optional[str] = None, severity: Optional[IpBlockSeverity] = None, comment: Optional[str] = None, expires_in: Optional[int] = None) -> AdminIpBlock:
        """Change a block of a network. Fields that are left out stay. For the permission Manage Blocks. ``PUT
        /api/v1/admin/ip_blocks/{id}``
        """
        return await self._call('updateIpBlock', {'id': id, 'ip': ip, 'severity': severity, 'comment': comment, 'expires_in': expires_in})

    async def delete_ip_block(self, id: Id) -> Empty:
        """Remove a block of a network. For the permission Manage Blocks. ``DELETE /api/v1/admin/ip_blocks/{id}``"""
        return await self._call('deleteIpBlock', {'id': id})

    async def list_mail_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AdminEmailDomainBlock]:
        """Blocks of mail domains. At most 10000. For the permission Manage Blocks. ``GET
        /api/v1/admin/email_domain_blocks``
        """
        return await self._call('listMailBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def create_mail_block(self, *, domain: str, comment: Optional[str] = None) -> AdminEmailDomainBlock:
        """Block a mail domain. Refuses sign-ups with an address of the domain or of a domain below it. Accounts that
        exist stay. For the permission Manage Blocks. ``POST /api/v1/admin/email_domain_blocks``
        """
        return await self._call('createMailBlock', {'domain': domain, 'comment': comment})

    async def show_mail_block(self, id: Id) -> AdminEmailDomainBlock:
        """A block of a mail domain. For the permission Manage Blocks. ``GET /api/v1/admin/email_domain_blocks/{id}``"""
        return await self._call('showMailBlock', {'id': id})

    async def delete_mail_block(self, id: Id) -> Empty:
        """Remove a block of a mail domain. For the permission Manage Blocks. ``DELETE
        /api/v1/admin/email_domain_blocks/{id}``
        """
        return await self._call('deleteMailBlock', {'id': id})

    async def list_name_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AdminUsernameBlock]:
        """Blocks of user names. At most 1000. For the permission Manage Blocks. ``GET /api/v1/admin/username_blocks``"""
        return await self._call('listNameBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def create_name_block(self, *, username: str, comment: Optional[str] = None) -> AdminUsernameBlock:
        """Block a user name. Refuses sign-ups with the name; up to four stars stand for any letters. Accounts that
        exist stay. For the permission Manage Blocks. ``POST /api/v1/admin/username_blocks``
        """
        return await self._call('createNameBlock', {'username': username, 'comment': comment})

    async def show_name_block(self, id: Id) -> AdminUsernameBlock:
        """A block of a user name. For the permission Manage Blocks. ``GET /api/v1/admin/username_blocks/{id}``"""
        return await self._call('showNameBlock', {'id': id})

    async def delete_name_block(self, id: Id) -> Empty:
        """Remove a block of a user name. For the permission Manage Blocks. ``DELETE
        /api/v1/admin/username_blocks/{id}``
        """
        return await self._call('deleteNameBlock', {'id': id})

    async def set_role(self, id: Id, *, role: Literal['user', 'moderator', 'admin', 'owner'], why: Optional[str] = None) -> Role:
        """Give an account a role. From the next request of the account on. An admin makes moderators of users and
        users of moderators; an owner makes all roles. Everybody with a role may give it up, and nobody raises their
        own. The only owner keeps the role until there is another. ``PUT /api/v1/admin/accounts/{id}/role``
        """
        return await self._call('setRole', {'id': id, 'role': role, 'why': why})

    async def list_audit_log(self, *, max_id: Optional[str] = None, by_account_id: Optional[Id] = None, target_account_id: Optional[Id] = None, action: Optional[str] = None, limit: Optional[int] = None) -> AuditLog:
        """What moderators and operators did. Newest first: who did what to whom, when and why, of the API, the command
        line and the console. The newest `log.audit-entries` acts are kept. For every role but `user`. ``GET
        /api/v1/admin/audit_log``
        """
        return await self._call('listAuditLog', {'max_id': max_id, 'by_account_id': by_account_id, 'target_account_id': target_account_id, 'action': action, 'limit': limit})

    async def list_invitations(self, *, all: Optional[bool] = None) -> List[Invitation]:
        """Your invitations. The newest first, those that have ended in the last 30 days too. For accounts with a role;
        for all accounts where the setting `auth.user-invitations` is true. ``GET /api/v1/invitations``
        """
        return await self._call('listInvitations', {'all': all})

    async def create_invitation(self, *, max_uses: Optional[int] = None, expires_in: Optional[int] = None, comment: Optional[str] = None) -> Invitation:
        """Invite people. Somebody signs up with the code (`invite_code`) where sign-ups need an invitation, and
        without approval where they need one. At most 100 of an account. ``POST /api/v1/invitations``
        """
        return await self._call('createInvitation', {'max_uses': max_uses, 'expires_in': expires_in, 'comment': comment})

    async def revoke_invitation(self, name: str) -> Empty:
        """Revoke an invitation. Nobody signs up with it any more. Your own; those of others with the permission Manage
        Users. ``DELETE /api/v1/invitations/{name}``
        """
        return await self._call('revokeInvitation', {'name': name})

    async def list_warnings(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[AccountWarning]:
        """Own warnings by moderators. Newest first; the newest 200 are kept. ``GET /api/v1/warnings``"""
        return await self._call('listWarnings', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def appeal_warning(self, id: Id, *, text: str) -> AccountWarning:
        """Appeal a warning. Once, within 20 days. The same text again answers the same, another one 422. The decision
        is in `appeal.state`; there is no notification of it. ``POST /api/v1/warnings/{id}/appeal``
        """
        return await self._call('appealWarning', {'id': id, 'text': text})

    async def follow_accounts(self, *, id: List[Id]) -> List[RelationshipOrError]:
        """Follow many accounts. One bad id does not undo the others. Who is locked is asked, as by following one.
        ``POST /api/v1/accounts/follow``
        """
        return await self._call('followAccounts', {'id': id})

    async def unfollow_accounts(self, *, id: List[Id]) -> List[RelationshipOrError]:
        """Follow many accounts no more. One bad id does not undo the others. ``POST /api/v1/accounts/unfollow``"""
        return await self._call('unfollowAccounts', {'id': id})

    async def list_blocks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Whom you block. You alone see this list. ``GET /api/v1/blocks``"""
        return await self._call('listBlocks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_mutes(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[MutedAccount]:
        """Whom you mute. With the ends of those mutes that have one. You alone see this list. ``GET /api/v1/mutes``"""
        return await self._call('listMutes', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_statuses(self, *, id: Optional[List[Id]] = None) -> List[Status]:
        """Statuses by their ids. In the order asked for, without those that cannot be seen; at most 100 ids. ``GET
        /api/v1/statuses``
        """
        return await self._call('listStatuses', {'id': id})

    async def create_status(self, *, status: Optional[str] = None, visibility: Optional[Literal['public', 'unlisted', 'private', 'direct']] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, in_reply_to_id: Optional[Id] = None, quoted_status_id: Optional[Id] = None, media_ids: Optional[List[Id]] = None, media_attributes: Optional[List[CreateStatusMediaAttributes]] = None, poll: Optional[CreateStatusPoll] = None, scheduled_at: Optional[str] = None, quote_approval_policy: Optional[QuotePolicy] = None, allowed_mentions: Optional[List[Id]] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, idempotency_key: Optional[str] = None) -> Union[Status, ScheduledStatus]:
        """Post. 404 when the status that is answered or quoted cannot be seen. 422 with the code `ERR_HELD` at
        `status` when the post waits for a moderator (`listHeldStatuses`): sending it again changes nothing. ``POST
        /api/v1/statuses``
        """
        return await self._call('createStatus', {'status': status, 'visibility': visibility, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'in_reply_to_id': in_reply_to_id, 'quoted_status_id': quoted_status_id, 'media_ids': media_ids, 'media_attributes': media_attributes, 'poll': poll, 'scheduled_at': scheduled_at, 'quote_approval_policy': quote_approval_policy, 'allowed_mentions': allowed_mentions, 'lat': lat, 'long': long, 'place': place}, idempotency_key)

    async def show_status(self, id: Id) -> Status:
        """A status. One that you may not see gets the 404 of one that does not exist. ``GET /api/v1/statuses/{id}``"""
        return await self._call('showStatus', {'id': id})

    async def edit_status(self, id: Id, *, status: Optional[str] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, quote_approval_policy: Optional[Literal['public', 'followers', 'nobody']] = None, poll: Optional[EditStatusPoll] = None, media_ids: Optional[List[Id]] = None, media_attributes: Optional[List[EditStatusMediaAttributes]] = None) -> Status:
        """Edit a status or comment of your own. All words are said again: what is left out is empty, except the
        language. The former words stay in the history. Nothing else changes, whatever is said, but for
        `quote_approval_policy`, for its pictures by `media_ids`, which stay when it is left out, and for their
        descriptions and focus by `media_attributes`; another poll is refused, with other options or another
        `multiple`. An edit that changes nothing is answered with the status as it is. 404 for somebody elses, as if
        it did not exist; 422 for a repost without words, and for an article. ``PUT /api/v1/statuses/{id}``
        """
        return await self._call('editStatus', {'id': id, 'status': status, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'quote_approval_policy': quote_approval_policy, 'poll': poll, 'media_ids': media_ids, 'media_attributes': media_attributes})

    async def delete_status(self, id: Id, *, delete_media: Optional[bool] = None) -> DeletedStatus:
        """Delete a status or comment of your own. Somebody elses gets the 404 of one that does not exist. ``DELETE
        /api/v1/statuses/{id}``
        """
        return await self._call('deleteStatus', {'id': id, 'delete_media': delete_media})

    async def show_source(self, id: Id) -> StatusSource:
        """What its author wrote. For whoever may see the status. ``GET /api/v1/statuses/{id}/source``"""
        return await self._call('showSource', {'id': id})

    async def list_edits(self, id: Id) -> List[StatusEdit]:
        """What a status was. For whoever may see the status. ``GET /api/v1/statuses/{id}/history``"""
        return await self._call('listEdits', {'id': id})

    async def show_context(self, id: Id) -> Context:
        """What a status answers, and what answers it. Only what you may see of it. ``GET
        /api/v1/statuses/{id}/context``
        """
        return await self._call('showContext', {'id': id})

    async def favourite_status(self, id: Id) -> Status:
        """Like a status. Its author is notified. A second time changes nothing. ``POST
        /api/v1/statuses/{id}/favourite``
        """
        return await self._call('favouriteStatus', {'id': id})

    async def unfavourite_status(self, id: Id) -> Status:
        """Like a status no more. It is answered in the same way when you do not like it. ``POST
        /api/v1/statuses/{id}/unfavourite``
        """
        return await self._call('unfavouriteStatus', {'id': id})

    async def bookmark_status(self, id: Id) -> Status:
        """Bookmark a status. Nobody but you knows. A second time changes nothing. ``POST
        /api/v1/statuses/{id}/bookmark``
        """
        return await self._call('bookmarkStatus', {'id': id})

    async def unbookmark_status(self, id: Id) -> Status:
        """Bookmark a status no more. It is answered in the same way when it is no bookmark of yours. ``POST
        /api/v1/statuses/{id}/unbookmark``
        """
        return await self._call('unbookmarkStatus', {'id': id})

    async def pin_status(self, id: Id) -> Status:
        """Show a status of yours above all others. At most five; the one pinned last comes first in
        `/api/v1/accounts/{id}/statuses?pinned=true`. A repost, and a status of somebody else, is refused with 422.
        Deleting a status unpins it. ``POST /api/v1/statuses/{id}/pin``
        """
        return await self._call('pinStatus', {'id': id})

    async def unpin_status(self, id: Id) -> Status:
        """Pin a status no more. It is answered in the same way when it is not pinned. ``POST
        /api/v1/statuses/{id}/unpin``
        """
        return await self._call('unpinStatus', {'id': id})

    async def mute_status(self, id: Id) -> Status:
        """Hear no more of a conversation. No notification of any status of the conversation that the status belongs to
        is shown or streamed. They are kept, and shown once the conversation is heard again. The 200 conversations
        that were muted last stay muted. ``POST /api/v1/statuses/{id}/mute``
        """
        return await self._call('muteStatus', {'id': id})

    async def unmute_status(self, id: Id) -> Status:
        """Hear of a conversation again. What was kept of it meanwhile is shown, too. ``POST
        /api/v1/statuses/{id}/unmute``
        """
        return await self._call('unmuteStatus', {'id': id})

    async def list_conversations(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Conversation]:
        """Your conversations of direct messages. The one with the newest message first; the cursors are ids of
        messages, so follow `Link`. The 500 with the newest messages are kept. Not shown are those whose other
        accounts you all block, or mute with their notifications, and those without a message that you may see.
        ``GET /api/v1/conversations``
        """
        return await self._call('listConversations', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def delete_conversation(self, id: Id) -> Empty:
        """Take a conversation off your list. The messages stay. A new one brings the conversation back, with what is
        written from then on. ``DELETE /api/v1/conversations/{id}``
        """
        return await self._call('deleteConversation', {'id': id})

    async def read_conversation(self, id: Id) -> Conversation:
        """Mark a conversation as read. `unread` is false until another message comes. ``POST
        /api/v1/conversations/{id}/read``
        """
        return await self._call('readConversation', {'id': id})

    async def unread_conversation(self, id: Id) -> Conversation:
        """Mark a conversation as unread. `unread` is true until it is marked as read, or the user writes in it. ``POST
        /api/v1/conversations/{id}/unread``
        """
        return await self._call('unreadConversation', {'id': id})

    async def reblog_status(self, id: Id, *, visibility: Optional[Literal['public', 'unlisted', 'private']] = None, comment: Optional[str] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, quote_approval_policy: Optional[QuotePolicy] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, idempotency_key: Optional[str] = None) -> Status:
        """Repost a status, with or without a comment. Of a repost, its original is passed on. Who has reposted it
        already gets that repost. A private status of somebody else is refused with 422; a repost is seen by no more
        people than its original. ``POST /api/v1/statuses/{id}/reblog``
        """
        return await self._call('reblogStatus', {'id': id, 'visibility': visibility, 'comment': comment, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'quote_approval_policy': quote_approval_policy, 'lat': lat, 'long': long, 'place': place}, idempotency_key)

    async def unreblog_status(self, id: Id) -> Status:
        """Take a repost back. It is answered in the same way when you have not reposted it. ``POST
        /api/v1/statuses/{id}/unreblog``
        """
        return await self._call('unreblogStatus', {'id': id})

    async def list_favourited_by(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Who likes a status. For whoever may see the status. ``GET /api/v1/statuses/{id}/favourited_by``"""
        return await self._call('listFavouritedBy', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_reblogged_by(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Who reposted a status. For whoever may see the status. Without those who reposted it for their followers
        alone. ``GET /api/v1/statuses/{id}/reblogged_by``
        """
        return await self._call('listRebloggedBy', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_quotes(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Quotes of a status. Those that you may see. ``GET /api/v1/statuses/{id}/quotes``"""
        return await self._call('listQuotes', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def revoke_quote(self, id: Id, name: str) -> Status:
        """Take a status of yours out of a quote. The quote keeps its own words and says `revoked` from then on;
        `/quotes` lists it no more. For good: it cannot quote the status again, though its author can do so in
        another post, unless the policy of quotes forbids it. Doing it again changes nothing. 403 when the quoted
        status is not yours; 404 when this does not quote it. A quote that you may not see is ended all the same;
        the answer is then your own status. ``POST /api/v1/statuses/{id}/quotes/{name}/revoke``
        """
        return await self._call('revokeQuote', {'id': id, 'name': name})

    async def set_interaction_policy(self, id: Id, *, quote_approval_policy: Optional[QuotePolicy] = None) -> Status:
        """Say who may quote a status of yours from now on. Quotes that there are stay. Nothing changes without a
        policy, and of a status that is `private` or `direct`, which nobody may quote. Articles are refused with
        422: everybody may quote them. ``PUT /api/v1/statuses/{id}/interaction_policy``
        """
        return await self._call('setInteractionPolicy', {'id': id, 'quote_approval_policy': quote_approval_policy})

    async def list_comments(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Comments on a status. Those on the status itself and on its comments, as far as you may see them. ``GET
        /api/v1/statuses/{id}/comments``
        """
        return await self._call('listComments', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def create_comment(self, id: Id, *, text: Optional[str] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, status: Optional[str] = None, visibility: Optional[Literal['public', 'unlisted', 'private']] = None, quote_approval_policy: Optional[QuotePolicy] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, also_repost: Optional[bool] = None, parent_id: Optional[Id] = None, idempotency_key: Optional[str] = None) -> Status:
        """Comment on a status. A comment is in no profile, no timeline and no count of statuses, and is seen by
        whoever sees what it stands under. One on a comment is listed with the comments of both. ``POST
        /api/v1/statuses/{id}/comments``
        """
        return await self._call('createComment', {'id': id, 'text': text, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'status': status, 'visibility': visibility, 'quote_approval_policy': quote_approval_policy, 'lat': lat, 'long': long, 'place': place, 'also_repost': also_repost, 'parent_id': parent_id}, idempotency_key)

    async def list_favourites(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """What you like. In the order of the likes. Cursors are not ids of statuses: take them from the Link header.
        ``GET /api/v1/favourites``
        """
        return await self._call('listFavourites', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_bookmarks(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """What you bookmarked. In the order of the bookmarks. Cursors are not ids of statuses: take them from the Link
        header. ``GET /api/v1/bookmarks``
        """
        return await self._call('listBookmarks', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def export_archive(self) -> bytes:
        """All that is yours, as one file. A ZIP file in the form of Mastodon's archives (`actor.json`, `outbox.json`,
        `likes.json`, `bookmarks.json`, `media_attachments`), with the CSV files below and, as JSON, what else you
        have: posts with all of their versions and direct messages that you sent, what is scheduled, filters,
        hashtags, lists, notes. `README.txt` in it says what is where. Passwords and tokens are not in it. It has
        50,000 pictures at most. Made while it is sent, one at a time; counted by `limits.rates.exports` when it
        begins: an attempt that is refused with 503 does not count, nor does HEAD. It ends after an hour, or when
        the token ends. When the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/archive.zip``
        """
        return await self._call('exportArchive', {})

    async def export_follows(self) -> bytes:
        """Whom you follow. As the CSV file that Mastodon exports and imports: address, whether boosts are shown,
        whether you are notified of new posts, languages. Made while it is sent: when the connection ends before the
        body does, the file is not whole. ``GET /api/v1/exports/follows.csv``
        """
        return await self._call('exportFollows', {})

    async def export_blocks(self) -> bytes:
        """Whom you block. As the CSV file that Mastodon exports and imports: addresses. Made while it is sent: when
        the connection ends before the body does, the file is not whole. ``GET /api/v1/exports/blocks.csv``
        """
        return await self._call('exportBlocks', {})

    async def export_mutes(self) -> bytes:
        """Whom you mute. As the CSV file that Mastodon exports and imports: address, whether notifications are hidden.
        Made while it is sent: when the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/mutes.csv``
        """
        return await self._call('exportMutes', {})

    async def export_lists(self) -> bytes:
        """Who is on your lists. As the CSV file that Mastodon exports and imports: title of the list, address. Made
        while it is sent: when the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/lists.csv``
        """
        return await self._call('exportLists', {})

    async def export_bookmarks(self) -> bytes:
        """What you bookmarked, as a file. As the CSV file that Mastodon exports and imports: the `uri` of each post.
        Made while it is sent: when the connection ends before the body does, the file is not whole. ``GET
        /api/v1/exports/bookmarks.csv``
        """
        return await self._call('exportBookmarks', {})

    async def show_home(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Statuses of whom you follow. Also what you have written, and public posts with hashtags that you follow.
        ``GET /api/v1/timelines/home``
        """
        return await self._call('showHome', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def list_filters(self) -> List[Filter]:
        """Your filters. Each with its keywords and statuses. One that has expired is there, too. ``GET
        /api/v2/filters``
        """
        return await self._call('listFilters', {})

    async def create_filter(self, *, title: str, context: FilterContexts, filter_action: Optional[Literal['warn', 'hide', 'blur', 'blur_media']] = None, expires_in: Optional[int] = None, keywords_attributes: Optional[List[CreateFilterKeywordsAttributes]] = None) -> Filter:
        """Make a filter. At most `limits.filters-max`, five times as many keywords and statuses, and as many KiB.
        Statuses that match carry it in `filtered`, wherever they are shown to you; hiding them is for the client.
        What you have written yourself is never filtered. ``POST /api/v2/filters``
        """
        return await self._call('createFilter', {'title': title, 'context': context, 'filter_action': filter_action, 'expires_in': expires_in, 'keywords_attributes': keywords_attributes})

    async def show_filter(self, id: Id) -> Filter:
        """A filter of yours. With its keywords and statuses. ``GET /api/v2/filters/{id}``"""
        return await self._call('showFilter', {'id': id})

    async def update_filter(self, id: Id, *, title: Optional[str] = None, context: Optional[FilterContexts] = None, filter_action: Optional[Literal['warn', 'hide', 'blur', 'blur_media']] = None, expires_in: Optional[int] = None, keywords_attributes: Optional[List[UpdateFilterKeywordsAttributes]] = None) -> Filter:
        """Change a filter of yours. What is not said stays as it is. A keyword is changed by its `id`, deleted by
        `_destroy`, and added without either. ``PUT /api/v2/filters/{id}``
        """
        return await self._call('updateFilter', {'id': id, 'title': title, 'context': context, 'filter_action': filter_action, 'expires_in': expires_in, 'keywords_attributes': keywords_attributes})

    async def delete_filter(self, id: Id) -> Empty:
        """Delete a filter of yours. With its keywords and statuses. ``DELETE /api/v2/filters/{id}``"""
        return await self._call('deleteFilter', {'id': id})

    async def list_filter_keywords(self, id: Id) -> List[FilterKeyword]:
        """Keywords of a filter of yours. They are part of the filter itself, too. ``GET
        /api/v2/filters/{id}/keywords``
        """
        return await self._call('listFilterKeywords', {'id': id})

    async def add_filter_keyword(self, id: Id, *, keyword: str, whole_word: Optional[bool] = None) -> FilterKeyword:
        """Add a keyword to a filter of yours. A filter matches as soon as one of its keywords does. ``POST
        /api/v2/filters/{id}/keywords``
        """
        return await self._call('addFilterKeyword', {'id': id, 'keyword': keyword, 'whole_word': whole_word})

    async def show_filter_keyword(self, id: Id) -> FilterKeyword:
        """A keyword of a filter of yours. By the id of the keyword. ``GET /api/v2/filters/keywords/{id}``"""
        return await self._call('showFilterKeyword', {'id': id})

    async def update_filter_keyword(self, id: Id, *, keyword: Optional[str] = None, whole_word: Optional[bool] = None) -> FilterKeyword:
        """Change a keyword of a filter of yours. What is not said stays as it is. ``PUT
        /api/v2/filters/keywords/{id}``
        """
        return await self._call('updateFilterKeyword', {'id': id, 'keyword': keyword, 'whole_word': whole_word})

    async def delete_filter_keyword(self, id: Id) -> Empty:
        """Take a keyword out of a filter of yours. The filter stays, even without a keyword. ``DELETE
        /api/v2/filters/keywords/{id}``
        """
        return await self._call('deleteFilterKeyword', {'id': id})

    async def list_filter_statuses(self, id: Id) -> List[FilterStatus]:
        """Statuses under a filter of yours. They match whatever their texts say. ``GET /api/v2/filters/{id}/statuses``"""
        return await self._call('listFilterStatuses', {'id': id})

    async def add_filter_status(self, id: Id, *, status_id: Id) -> FilterStatus:
        """Put a status under a filter of yours. It matches whatever its text says. ``POST
        /api/v2/filters/{id}/statuses``
        """
        return await self._call('addFilterStatus', {'id': id, 'status_id': status_id})

    async def show_filter_status(self, id: Id) -> FilterStatus:
        """A status under a filter of yours. By the id of the entry, not of the status. ``GET
        /api/v2/filters/statuses/{id}``
        """
        return await self._call('showFilterStatus', {'id': id})

    async def delete_filter_status(self, id: Id) -> Empty:
        """Take a status out of a filter of yours. By the id of the entry, not of the status. ``DELETE
        /api/v2/filters/statuses/{id}``
        """
        return await self._call('deleteFilterStatus', {'id': id})

    async def list_lists(self) -> List[UserList]:
        """Your lists of accounts. Nobody else sees them. ``GET /api/v1/lists``"""
        return await self._call('listLists', {})

    async def create_list(self, *, title: str, replies_policy: Optional[Literal['followed', 'list', 'none']] = None, exclusive: Optional[bool] = None) -> UserList:
        """Make a list of accounts. At most `limits.lists-max`. ``POST /api/v1/lists``"""
        return await self._call('createList', {'title': title, 'replies_policy': replies_policy, 'exclusive': exclusive})

    async def show_list(self, id: Id) -> UserList:
        """A list of yours. Its title and settings; who is on it has an address of its own. ``GET /api/v1/lists/{id}``"""
        return await self._call('showList', {'id': id})

    async def update_list(self, id: Id, *, title: Optional[str] = None, replies_policy: Optional[Literal['followed', 'list', 'none']] = None, exclusive: Optional[bool] = None) -> UserList:
        """Change a list of yours. What is not said stays as it is. ``PUT /api/v1/lists/{id}``"""
        return await self._call('updateList', {'id': id, 'title': title, 'replies_policy': replies_policy, 'exclusive': exclusive})

    async def delete_list(self, id: Id) -> Empty:
        """Delete a list of yours. You follow who was on it all the same. ``DELETE /api/v1/lists/{id}``"""
        return await self._call('deleteList', {'id': id})

    async def list_list_accounts(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Who is on a list of yours. Whose posts its timeline shows. ``GET /api/v1/lists/{id}/accounts``"""
        return await self._call('listListAccounts', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def add_list_accounts(self, id: Id, *, account_ids: Optional[List[Id]] = None) -> Empty:
        """Put accounts on a list of yours. All or none. 404 when you do not follow one of them, 422 when one of them
        is on the list already. ``POST /api/v1/lists/{id}/accounts``
        """
        return await self._call('addListAccounts', {'id': id, 'account_ids': account_ids})

    async def remove_list_accounts(self, id: Id, *, account_ids: Optional[List[Id]] = None) -> Empty:
        """Take accounts off a list of yours. You follow them all the same. ``DELETE /api/v1/lists/{id}/accounts``"""
        return await self._call('removeListAccounts', {'id': id, 'account_ids': account_ids})

    async def list_lists_with(self, id: Id) -> List[UserList]:
        """Your lists that have an account. For choosing where to put it. ``GET /api/v1/accounts/{id}/lists``"""
        return await self._call('listListsWith', {'id': id})

    async def show_list_timeline(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Statuses of who is on a list of yours. As the home shows them, but for answers that the list leaves out.
        ``GET /api/v1/timelines/list/{id}``
        """
        return await self._call('showListTimeline', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def show_public(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, local: Optional[bool] = None, remote: Optional[bool] = None, only_media: Optional[bool] = None) -> AsyncPage[Status]:
        """Public statuses of everybody. Without comments and reposts. There are no other servers: `local` changes
        nothing, `remote` shows nothing. ``GET /api/v1/timelines/public``
        """
        return await self._call('showPublic', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'local': local, 'remote': remote, 'only_media': only_media})

    async def show_tag(self, tag: str, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, any: Optional[List[str]] = None, all: Optional[List[str]] = None, none: Optional[List[str]] = None, local: Optional[bool] = None, remote: Optional[bool] = None, only_media: Optional[bool] = None) -> AsyncPage[Status]:
        """Public statuses with a hashtag. Replies to others too, which the public timeline leaves out; no comments and
        no plain reposts. ``GET /api/v1/timelines/tag/{tag}``
        """
        return await self._call('showTag', {'tag': tag, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'any': any, 'all': all, 'none': none, 'local': local, 'remote': remote, 'only_media': only_media})

    async def show_tag_entity(self, tag: str) -> Tag:
        """A hashtag. Also one that nobody has used. ``GET /api/v1/tags/{tag}``"""
        return await self._call('showTagEntity', {'tag': tag})

    async def list_trending_tags(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> List[Tag]:
        """Trending hashtags. Those that most accounts have used today and yesterday (UTC) in public posts, two at
        least on one of the days. ``GET /api/v1/trends/tags``
        """
        return await self._call('listTrendingTags', {'limit': limit, 'offset': offset})

    async def list_trends(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> List[Status]:
        """Trending statuses. Articles are what users vote on here. ``GET /api/v1/trends/statuses``"""
        return await self._call('listTrends', {'limit': limit, 'offset': offset})

    async def list_articles(self, *, group: Optional[GroupName] = None, order: Optional[Literal['score', 'time']] = None, max_id: Optional[str] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Articles by score or time. A ranking by score is walked downward: a walk shows no article twice, and leaves
        out only those that votes lift above its place meanwhile. By time it is a list as any other. ``GET
        /api/v1/articles``
        """
        return await self._call('listArticles', {'group': group, 'order': order, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def create_article(self, *, title: str, link: Optional[str] = None, text: Optional[str] = None, groups: Optional[List[GroupName]] = None, visibility: Optional[Literal['public']] = None, quote_approval_policy: Optional[Literal['public']] = None, spoiler_text: Optional[str] = None, sensitive: Optional[bool] = None, language: Optional[str] = None, lat: Optional[float] = None, long: Optional[float] = None, place: Optional[str] = None, idempotency_key: Optional[str] = None) -> Status:
        """Publish an article. An article is a public status that users vote on. Its text begins with title and link,
        so that every client shows them. The vote of its author is the first. Read, like, comment on and delete it
        as any status. ``POST /api/v1/articles``
        """
        return await self._call('createArticle', {'title': title, 'link': link, 'text': text, 'groups': groups, 'visibility': visibility, 'quote_approval_policy': quote_approval_policy, 'spoiler_text': spoiler_text, 'sensitive': sensitive, 'language': language, 'lat': lat, 'long': long, 'place': place}, idempotency_key)

    async def list_best_articles(self) -> List[Status]:
        """The newest articles with many votes. Those that have lasted, whatever their age. ``GET
        /api/v1/articles/best``
        """
        return await self._call('listBestArticles', {})

    async def show_article(self, id: Id) -> Status:
        """An article. 404 for a status that is no article. ``GET /api/v1/articles/{id}``"""
        return await self._call('showArticle', {'id': id})

    async def vote_for_article(self, id: Id) -> Status:
        """Vote for an article. A vote is worth 432 seconds of newness and is not taken back; a second one changes
        nothing. 422 later than seven days after the publication. ``POST /api/v1/articles/{id}/vote``
        """
        return await self._call('voteForArticle', {'id': id})

    async def list_voters(self, id: Id, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Who voted for an article. Latest first; nobody any more when the voting is over. Cursors are opaque: take
        them from the Link header. ``GET /api/v1/articles/{id}/voters``
        """
        return await self._call('listVoters', {'id': id, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def put_article_into_group(self, id: Id, name: GroupName) -> Status:
        """Put an article into a group. For the author of the article and the creator of the group. A group is created
        by its first article and ends with its last. ``PUT /api/v1/articles/{id}/groups/{name}``
        """
        return await self._call('putArticleIntoGroup', {'id': id, 'name': name})

    async def take_article_out_of_group(self, id: Id, name: GroupName) -> Status:
        """Take an article out of a group. For the author of the article and the creator of the group. ``DELETE
        /api/v1/articles/{id}/groups/{name}``
        """
        return await self._call('takeArticleOutOfGroup', {'id': id, 'name': name})

    async def list_groups(self, *, offset: Optional[int] = None, limit: Optional[int] = None) -> List[ArticleGroup]:
        """Groups of articles. By how many articles they have. ``GET /api/v1/groups``"""
        return await self._call('listGroups', {'offset': offset, 'limit': limit})

    async def list_articles_of_group(self, name: GroupName, *, order: Optional[Literal['score', 'time']] = None, max_id: Optional[str] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Status]:
        """Articles of a group. As those of all articles. A group that does not exist has none. ``GET
        /api/v1/groups/{name}/articles``
        """
        return await self._call('listArticlesOfGroup', {'name': name, 'order': order, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def show_markers(self, *, timeline: Optional[List[Literal['home', 'notifications']]] = None) -> Markers:
        """How far you have read. For going on where another client has stopped. ``GET /api/v1/markers``"""
        return await self._call('showMarkers', {'timeline': timeline})

    async def set_markers(self, *, home: Optional[SetMarkersHome] = None, notifications: Optional[SetMarkersNotifications] = None) -> Markers:
        """Say how far you have read. What it says is there for your other clients; notifications up to it count as
        read. ``POST /api/v1/markers``
        """
        return await self._call('setMarkers', {'home': home, 'notifications': notifications})

    async def show_push_subscription(self) -> WebPushSubscription:
        """The push subscription of this token. 404 when it has none, and where push is switched off. ``GET
        /api/v1/push/subscription``
        """
        return await self._call('showPushSubscription', {})

    async def create_push_subscription(self, *, subscription: CreatePushSubscriptionSubscription, data: Optional[PushData] = None, policy: Optional[Literal['all', 'followed', 'follower', 'none']] = None) -> WebPushSubscription:
        """Subscribe this token to push. In place of its former subscription, which ends with the token. The endpoint
        is an https address on the public internet. ``POST /api/v1/push/subscription``
        """
        return await self._call('createPushSubscription', {'subscription': subscription, 'data': data, 'policy': policy})

    async def update_push_subscription(self, *, data: Optional[PushData] = None, policy: Optional[Literal['all', 'followed', 'follower', 'none']] = None) -> WebPushSubscription:
        """Change of which notifications push tells. Alerts that are not said are not told. ``PUT
        /api/v1/push/subscription``
        """
        return await self._call('updatePushSubscription', {'data': data, 'policy': policy})

    async def delete_push_subscription(self) -> Empty:
        """Unsubscribe this token from push. It is answered in the same way when there is none. ``DELETE
        /api/v1/push/subscription``
        """
        return await self._call('deletePushSubscription', {})

    async def list_notifications(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, include_filtered: Optional[bool] = None) -> AsyncPage[Notification]:
        """What others did that concerns you. One by one; `/api/v2/notifications` groups them. ``GET
        /api/v1/notifications``
        """
        return await self._call('listNotifications', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'include_filtered': include_filtered})

    async def count_notifications(self, *, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, include_filtered: Optional[bool] = None) -> CountNotificationsAnswer:
        """How many notifications you have not read. Those that are newer than the marker of notifications. ``GET
        /api/v1/notifications/unread_count``
        """
        return await self._call('countNotifications', {'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'include_filtered': include_filtered})

    async def clear_notifications(self) -> Empty:
        """Throw all notifications away. They do not come back. ``POST /api/v1/notifications/clear``"""
        return await self._call('clearNotifications', {})

    async def show_notification(self, id: Id) -> Notification:
        """One notification. By the id that lists and streams say. ``GET /api/v1/notifications/{id}``"""
        return await self._call('showNotification', {'id': id})

    async def dismiss_notification(self, id: Id) -> Empty:
        """Throw one notification away. It does not come back. ``POST /api/v1/notifications/{id}/dismiss``"""
        return await self._call('dismissNotification', {'id': id})

    async def show_notification_policy(self) -> NotificationPolicy:
        """Whose doings you want word of. With how much is set aside at the moment. ``GET
        /api/v2/notifications/policy``
        """
        return await self._call('showNotificationPolicy', {})

    async def update_notification_policy(self, *, for_not_following: Optional[Literal['accept', 'filter', 'drop']] = None, for_not_followers: Optional[Literal['accept', 'filter', 'drop']] = None, for_new_accounts: Optional[Literal['accept', 'filter', 'drop']] = None, for_private_mentions: Optional[Literal['accept', 'filter', 'drop']] = None, for_limited_accounts: Optional[Literal['accept', 'filter', 'drop']] = None) -> NotificationPolicy:
        """Say whose doings you want word of. It is asked at each read. What is set aside (`filter`) is in your
        notification requests, what is dropped nowhere; both are there again once they are accepted. ``PATCH
        /api/v2/notifications/policy``
        """
        return await self._call('updateNotificationPolicy', {'for_not_following': for_not_following, 'for_not_followers': for_not_followers, 'for_new_accounts': for_new_accounts, 'for_private_mentions': for_private_mentions, 'for_limited_accounts': for_limited_accounts})

    async def put_notification_policy(self, *, for_not_following: Optional[Literal['accept', 'filter', 'drop']] = None, for_not_followers: Optional[Literal['accept', 'filter', 'drop']] = None, for_new_accounts: Optional[Literal['accept', 'filter', 'drop']] = None, for_private_mentions: Optional[Literal['accept', 'filter', 'drop']] = None, for_limited_accounts: Optional[Literal['accept', 'filter', 'drop']] = None) -> NotificationPolicy:
        """Say whose doings you want word of. The same as PATCH: what is not named stays as it is. ``PUT
        /api/v2/notifications/policy``
        """
        return await self._call('putNotificationPolicy', {'for_not_following': for_not_following, 'for_not_followers': for_not_followers, 'for_new_accounts': for_new_accounts, 'for_private_mentions': for_private_mentions, 'for_limited_accounts': for_limited_accounts})

    async def list_notification_requests(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[NotificationRequest]:
        """Whose doings your policy has set aside. One for each account whose notifications are set aside. Cursors are
        ids of notifications: take them from the Link header. ``GET /api/v1/notifications/requests``
        """
        return await self._call('listNotificationRequests', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def show_merged_notification_requests(self) -> ShowMergedNotificationRequestsAnswer:
        """Whether what you accepted is among your notifications. Clients ask this after accepting a request. ``GET
        /api/v1/notifications/requests/merged``
        """
        return await self._call('showMergedNotificationRequests', {})

    async def accept_notification_requests(self, *, id: List[Id]) -> Empty:
        """Accept what some accounts do, and have done. What there is no request of is left out. It holds until you
        block them; of the accounts that you accept so the newest 1000 are kept. ``POST
        /api/v1/notifications/requests/accept``
        """
        return await self._call('acceptNotificationRequests', {'id': id})

    async def dismiss_notification_requests(self, *, id: List[Id]) -> Empty:
        """Throw away what is set aside of some accounts. What there is no request of is left out. ``POST
        /api/v1/notifications/requests/dismiss``
        """
        return await self._call('dismissNotificationRequests', {'id': id})

    async def show_notification_request(self, id: Id) -> NotificationRequest:
        """One request. By the id of the account. ``GET /api/v1/notifications/requests/{id}``"""
        return await self._call('showNotificationRequest', {'id': id})

    async def accept_notification_request(self, id: Id) -> Empty:
        """Accept what an account does, and has done. It holds until you block the account; of the accounts that you
        accept so the newest 1000 are kept. ``POST /api/v1/notifications/requests/{id}/accept``
        """
        return await self._call('acceptNotificationRequest', {'id': id})

    async def dismiss_notification_request(self, id: Id) -> Empty:
        """Throw away what is set aside of an account. What the account does later is set aside again. ``POST
        /api/v1/notifications/requests/{id}/dismiss``
        """
        return await self._call('dismissNotificationRequest', {'id': id})

    async def list_grouped_notifications(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, grouped_types: Optional[List[str]] = None, include_filtered: Optional[bool] = None, expand_accounts: Optional[Literal['full', 'partial_avatars']] = None) -> GroupedNotifications:
        """What others did that concerns you, several of a kind as one. The likes of a status, its reposts, and follows
        of one half day of UTC are a group. A group stands where its newest notification stands, so that a walk in
        either direction meets each once. ``GET /api/v2/notifications``
        """
        return await self._call('listGroupedNotifications', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'grouped_types': grouped_types, 'include_filtered': include_filtered, 'expand_accounts': expand_accounts})

    async def count_grouped_notifications(self, *, limit: Optional[int] = None, types: Optional[List[str]] = None, exclude_types: Optional[List[str]] = None, account_id: Optional[Id] = None, grouped_types: Optional[List[str]] = None, include_filtered: Optional[bool] = None) -> CountGroupedNotificationsAnswer:
        """How many groups have notifications that you have not read. Those that are newer than the marker of
        notifications. ``GET /api/v2/notifications/unread_count``
        """
        return await self._call('countGroupedNotifications', {'limit': limit, 'types': types, 'exclude_types': exclude_types, 'account_id': account_id, 'grouped_types': grouped_types, 'include_filtered': include_filtered})

    async def clear_grouped_notifications(self) -> Empty:
        """Throw all notifications away. The same as that of v1. ``POST /api/v2/notifications/clear``"""
        return await self._call('clearGroupedNotifications', {})

    async def show_notification_group(self, name: str) -> GroupedNotifications:
        """One group of notifications. With the accounts and the status that it is about. ``GET
        /api/v2/notifications/{name}``
        """
        return await self._call('showNotificationGroup', {'name': name})

    async def list_notification_group_accounts(self, name: str, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[Account]:
        """Whose doings a group tells of. The newest notification first. A group that does not exist has none. ``GET
        /api/v2/notifications/{name}/accounts``
        """
        return await self._call('listNotificationGroupAccounts', {'name': name, 'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def dismiss_notification_group(self, name: str) -> Empty:
        """Throw a group of notifications away. A group that does not exist is no mistake. ``POST
        /api/v2/notifications/{name}/dismiss``
        """
        return await self._call('dismissNotificationGroup', {'name': name})

    async def dismiss_suggestion(self, id: Id) -> Empty:
        """Suggest an account no more. The newest 500 are remembered. ``DELETE /api/v1/suggestions/{id}``"""
        return await self._call('dismissSuggestion', {'id': id})

    async def list_suggestions(self, *, limit: Optional[int] = None) -> List[Suggestion]:
        """Accounts to follow. First whom those follow whom you have followed last, by how many of them do; then who
        posts publicly these days, by their followers. Without those whom you follow, block, mute or have dismissed,
        and who do not want to be suggested. ``GET /api/v2/suggestions``
        """
        return await self._call('listSuggestions', {'limit': limit})

    async def list_directory(self, *, order: Optional[Literal['active', 'new']] = None, offset: Optional[int] = None, local: Optional[bool] = None, limit: Optional[int] = None) -> List[Account]:
        """Accounts to discover. Of the 1000 accounts that have posted or signed up last those that want to be found
        (`discoverable`), without whom you block or mute and who blocks you. ``GET /api/v1/directory``
        """
        return await self._call('listDirectory', {'order': order, 'offset': offset, 'local': local, 'limit': limit})

    async def search(self, *, q: str, type: Optional[Literal['accounts', 'hashtags', 'statuses']] = None, resolve: Optional[bool] = None, following: Optional[bool] = None, limit: Optional[int] = None, offset: Optional[int] = None, account_id: Optional[str] = None, max_id: Optional[str] = None, min_id: Optional[str] = None) -> Search:
        """Accounts and hashtags by name, statuses by their words. Hashtags that public statuses have and that begin
        so, 60 at most: the whole name first, then those that most accounts have used in the last seven days.
        Statuses, the newest first, for who is logged in: public ones of accounts that are `indexable`, ones own,
        and those that name one; nothing of accounts that one blocks or mutes. All words must be there, in any
        order; `"phrases"`, `#tags`, `from:name` (or `from:me`), `has:media`, `has:link`, `has:quote`, `is:reply`,
        `is:sensitive`, `in:library` (ones own and those that name one), `in:public`, `language:en`, `before:`,
        `after:` and `during:` with a day of UTC such as 2026-01-31, and a minus before any of these. 422 for a
        query that is too long, has wildcards or a day that is none. ``GET /api/v2/search``
        """
        return await self._call('search', {'q': q, 'type': type, 'resolve': resolve, 'following': following, 'limit': limit, 'offset': offset, 'account_id': account_id, 'max_id': max_id, 'min_id': min_id})

    async def create_streaming_ticket(self) -> CreateStreamingTicketAnswer:
        """A ticket for one connection. Stands in for your token as `?ticket=` where headers cannot be set; can be used
        once, for 30 seconds. The cookie that comes with it lets the same browser come back to a stream with the
        ticket that it has used, for as long as the token is good. ``POST /api/v1/streaming/tickets``
        """
        return await self._call('createStreamingTicket', {})

    async def show_instance(self) -> InstanceV1:
        """What this server is and allows. As Mastodon had it before version 4; `/api/v2/instance` says more. ``GET
        /api/v1/instance``
        """
        return await self._call('showInstance', {})

    async def show_instance_v2(self) -> InstanceV2:
        """What this server is and allows. Its name, its limits, and which of its features are on. ``GET
        /api/v2/instance``
        """
        return await self._call('showInstanceV2', {})

    async def list_activity(self) -> List[Activity]:
        """Activity by week. The present week and the eleven before it, from Monday on (UTC), newest first, at most a
        minute old. Servers that have been upgraded count from then on. ``GET /api/v1/instance/activity``
        """
        return await self._call('listActivity', {})

    async def show_web_finger(self, *, resource: str) -> WebFinger:
        """Where an account has its page. For clients that know an account by `acct:name@host`. ``GET /.well-
        known/webfinger``
        """
        return await self._call('showWebFinger', {'resource': resource})

    async def list_node_info(self) -> NodeInfoLinks:
        """Where the node information is. For programs that ask which software a server runs. ``GET /.well-
        known/nodeinfo``
        """
        return await self._call('listNodeInfo', {})

    async def show_node_info(self) -> NodeInfo:
        """Node information. The software, its version, and how much is in use. ``GET /nodeinfo/2.0``"""
        return await self._call('showNodeInfo', {})

    async def create_media(self, *, file: Upload, thumbnail: Optional[Upload] = None, description: Optional[str] = None, focus: Optional[str] = None) -> MediaAttachment:
        """Upload a picture, a video or a sound. A JPEG, PNG, GIF or WebP file, as the part `file` of `multipart/form-
        data`; the instance document says how large. It is processed: turned upright, made smaller if need be, and
        written anew without metadata. Of an animation the first frame is kept. A picture that takes long, such as a
        JPEG of more than 16 megapixels or a PNG of more than 4, is answered before that, with 202 and without
        `url`: ask `GET /api/v1/media/{id}` until it is 200. It is deleted after a day unless a status takes it. A
        server bounds the bytes of all files of an account; beyond that the answer is 422, and says how many there
        are: delete posts with pictures. Or a video (MP4, QuickTime or WebM) or a sound (MP3, Ogg, FLAC, WAV, M4A,
        AAC, or WebM without video), told by its bytes. It is stored as it is; of MP4, QuickTime and M4A what tells
        of place and camera is overwritten, but for the titles and the cover of a sound. A server may take none
        (`video_size_limit` 0). ``POST /api/v2/media``
        """
        return await self._call('createMedia', {'file': file, 'thumbnail': thumbnail, 'description': description, 'focus': focus})

    async def show_media(self, id: Id) -> MediaAttachment:
        """One of your uploads that is not posted yet. Clients ask this until an upload is ready. 422 = it cannot be
        made, and the sentence says why. ``GET /api/v1/media/{id}``
        """
        return await self._call('showMedia', {'id': id})

    async def update_media(self, id: Id, *, thumbnail: Optional[Upload] = None, description: Optional[str] = None, focus: Optional[str] = None) -> MediaAttachment:
        """Change the description or the focus of an upload. Until it is posted; also while it is processed. ``PUT
        /api/v1/media/{id}``
        """
        return await self._call('updateMedia', {'id': id, 'thumbnail': thumbnail, 'description': description, 'focus': focus})

    async def delete_media(self, id: Id) -> Empty:
        """Delete an upload that is not posted yet. A picture of one of your newest posts gets a 422: delete the post.
        ``DELETE /api/v1/media/{id}``
        """
        return await self._call('deleteMedia', {'id': id})

    async def delete_avatar(self) -> CredentialAccount:
        """Take the picture out of your profile. Afterwards you have the one that is drawn for you. ``DELETE
        /api/v1/profile/avatar``
        """
        return await self._call('deleteAvatar', {})

    async def delete_header(self) -> CredentialAccount:
        """Take the wide picture out of your profile. Afterwards you have the one that all have at first. ``DELETE
        /api/v1/profile/header``
        """
        return await self._call('deleteHeader', {})

    async def list_announcements(self, *, with_dismissed: Optional[bool] = None) -> List[Announcement]:
        """Announcements. What the operator announces now, the newest first. `announcements` of `/api/v2/instance` says
        how many there are. ``GET /api/v1/announcements``
        """
        return await self._call('listAnnouncements', {'with_dismissed': with_dismissed})

    async def dismiss_announcement(self, id: Id) -> Empty:
        """Show an announcement no more. Also on the other devices of the account. ``POST
        /api/v1/announcements/{id}/dismiss``
        """
        return await self._call('dismissAnnouncement', {'id': id})

    async def list_custom_emojis(self) -> List[CustomEmoji]:
        """Custom emojis. Pictures that people write as `:shortcode:`, in the order of their shortcodes. The operator
        adds them. ``GET /api/v1/custom_emojis``
        """
        return await self._call('listCustomEmojis', {})

    async def show_preferences(self) -> Preferences:
        """What you prefer. From your profile: the visibility and language of your posts, what is shown of others.
        ``GET /api/v1/preferences``
        """
        return await self._call('showPreferences', {})

    async def show_poll(self, id: Id) -> Poll:
        """A poll. Its id is that of its status; whoever may see that may see the poll. ``GET /api/v1/polls/{id}``"""
        return await self._call('showPoll', {'id': id})

    async def vote_poll(self, id: Id, *, choices: Optional[List[int]] = None) -> Poll:
        """Vote. Of a poll that takes several choices, more can be chosen later. Nothing is taken back. 422 for one's
        own poll, for what one has chosen already, and when it has ended; 403 for a poll of somebody whom one
        blocks. ``POST /api/v1/polls/{id}/votes``
        """
        return await self._call('votePoll', {'id': id, 'choices': choices})

    async def list_scheduled_statuses(self, *, max_id: Optional[Cursor] = None, since_id: Optional[Cursor] = None, min_id: Optional[Cursor] = None, limit: Optional[int] = None) -> AsyncPage[ScheduledStatus]:
        """What you have scheduled. What is published already is not among them. ``GET /api/v1/scheduled_statuses``"""
        return await self._call('listScheduledStatuses', {'max_id': max_id, 'since_id': since_id, 'min_id': min_id, 'limit': limit})

    async def show_scheduled_status(self, id: Id) -> ScheduledStatus:
        """One that you have scheduled. 404 for somebody elses, and for one that is published. ``GET
        /api/v1/scheduled_statuses/{id}``
        """
        return await self._call('showScheduledStatus', {'id': id})

    async def update_scheduled_status(self, id: Id, *, scheduled_at: Optional[str] = None) -> ScheduledStatus:
        """Have it published at another time. Without a time it stays as it is. ``PUT /api/v1/scheduled_statuses/{id}``"""
        return await self._call('updateScheduledStatus', {'id': id, 'scheduled_at': scheduled_at})

    async def delete_scheduled_status(self, id: Id) -> Empty:
        """Cancel it. Its pictures can be posted for another day. ``DELETE /api/v1/scheduled_statuses/{id}``"""
        return await self._call('deleteScheduledStatus', {'id': id})

    async def list_held_statuses(self) -> List[HeldStatus]:
        """Your posts that wait for a moderator. All of them, the newest first. A post waits when `createStatus`
        answers 422 with the code `ERR_HELD`: it is published when a moderator approves it. ``GET
        /api/v1/held_statuses``
        """
        return await self._call('listHeldStatuses', {})

    async def show_held_status(self, id: Id) -> HeldStatus:
        """A post of yours that waits for a moderator. 404 for that of somebody else, and for one that waits no more.
        ``GET /api/v1/held_statuses/{id}``
        """
        return await self._call('showHeldStatus', {'id': id})

    async def delete_held_status(self, id: Id) -> Empty:
        """Withdraw a post that waits for a moderator. Its pictures can be posted for another day. ``DELETE
        /api/v1/held_statuses/{id}``
        """
        return await self._call('deleteHeldStatus', {'id': id})

    async def list_rules(self) -> Rules:
        """Rules. The rules of this server, in the order of the operator. A report names the ones that are broken.
        ``GET /api/v1/instance/rules``
        """
        return await self._call('listRules', {})

    async def show_extended_description(self) -> SiteText:
        """A longer description. For clients that show it beside the short one. ``GET
        /api/v1/instance/extended_description``
        """
        return await self._call('showExtendedDescription', {})

    async def show_privacy_policy(self) -> SiteText:
        """The privacy policy. For clients that show it before a sign-up. ``GET /api/v1/instance/privacy_policy``"""
        return await self._call('showPrivacyPolicy', {})

    async def show_terms(self) -> TermsOfService:
        """The terms of service. The version in force. Before any is in force, the first one. ``GET
        /api/v1/instance/terms_of_service``
        """
        return await self._call('showTerms', {})

    async def show_terms_of(self, id: str) -> TermsOfService:
        """One version of the terms of service. Former and coming versions too. ``GET
        /api/v1/instance/terms_of_service/{id}``
        """
        return await self._call('showTermsOf', {'id': id})

    async def list_languages(self) -> List[ListLanguagesAnswer]:
        """Languages. For clients that let people choose the language of a post. ``GET /api/v1/instance/languages``"""
        return await self._call('listLanguages', {})
