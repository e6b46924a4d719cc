// Generated from openapi.yaml by clients/generate.py: change that file, and run it.

export interface AccountFields {
  id: Id;
  username: string;
  acct: string;
  display_name: string;
  /** Whether one has to ask before one follows the account. */
  locked: boolean;
  bot: boolean;
  discoverable: boolean;
  indexable: boolean;
  group: boolean;
  created_at: Time;
  note: Html;
  url: Url;
  uri: Url;
  avatar: Url;
  avatar_static: Url;
  avatar_description: string;
  header: Url;
  header_static: Url;
  header_description: string;
  followers_count: Count;
  following_count: Count;
  statuses_count: Count;
  last_status_at: string | null;
  /** Whether others find the lists of its follows empty. */
  hide_collections: boolean;
  noindex: boolean;
  emojis: CustomEmojis;
  roles: Nothing;
  /** There, and true, when a moderator has limited the account: clients warn before they show it. */
  limited?: boolean;
  fields: ProfileField[];
}

/** Accounts that a moderator has selected, and the one act on them. */
export interface AccountSelection {
  id: string;
  created_at: Time;
  /** The account that has made it; null = an operator. */
  by_account_id: string | null;
  /** In words, for people. */
  criteria: string;
  count: number;
  /** Whether more accounts than these meet the criteria: select a shorter time of sign-ups, one after the other. */
  more: boolean;
  /** Whether the search came to its end in time: other accounts may meet the criteria, too, if not. */
  complete: boolean;
  /** The earliest moment that was searched for the text; null = none was, or there was nothing. */
  posts_since: Time | null;
  /** The first ones, by their sign-ups; empty in lists. */
  accounts: AdminAccount[];
  act: null | {
    type: "sensitive" | "silence" | "suspend";
    /** `stopped` = its moderator is none any more; another one may repeat the request. */
    state: "acting" | "acted" | "undoing" | "undone" | "stopped";
    /** The account that acts, or that undoes; null = an operator. */
    by_account_id: string | null;
    by_operator: string | null;
    text: string;
    why: string;
    created_at: Time;
    undo_until: Time;
    /** Accounts that are done, of the act or of its undo. */
    settled: number;
    /** Accounts that the act has restricted. */
    changed: number;
    /** Accounts that were deleted. */
    gone: number;
    /** Accounts that the role of the moderator does not reach, and the own one. */
    skipped: number;
    /** Accounts whose restriction the undo has lifted. */
    restored: number;
  };
}

/** A notice to an account of what a moderator did. It names no moderator. */
export interface AccountWarning {
  /** That of its notification too. */
  id: Id;
  action: "none" | "mark_statuses_as_sensitive" | "delete_statuses" | "sensitive" | "silence" | "suspend";
  /** The message of the moderator; may be empty. */
  text: string;
  /** Posts that it is about, deleted ones too. */
  status_ids: Id[];
  target_account: Account;
  /** Null = none was made. */
  appeal: Appeal | null;
  created_at: Time;
}

export interface Activity {
  /** When it began: Unix seconds of its Monday, UTC. */
  week: string;
  /** Posts that were written, without boosts. */
  statuses: string;
  /** How often users have logged in; Mastodon counts each of them once a week. */
  logins: string;
  /** Accounts that were made. */
  registrations: string;
}

export interface Address {
  /** null = the account has none. */
  email: string | null;
  /** Whether it waits for no confirmation. */
  confirmed: boolean;
  /** The address whose link was requested and is not used yet. */
  wanted: string | null;
  /** Until when the former address can be restored, and no other one wanted; null = that is over. */
  fixed_until: Time | null;
}

/** An account as moderators see it. */
export interface AdminAccount {
  id: Id;
  username: string;
  domain: null;
  created_at: Time;
  /** Empty when the account has none. */
  email: string;
  /** Addresses are not kept. */
  ip: null;
  ips: Nothing;
  locale: null;
  /** The reason of an account that waits for approval; null for others. */
  invite_request: string | null;
  confirmed: boolean;
  /** False as long as it waits for approval. */
  approved: boolean;
  disabled: boolean;
  /** Whether a moderator has limited it. */
  silenced: boolean;
  suspended: boolean;
  /** Whether its new posts are sensitive. */
  sensitized: boolean;
  role: Role;
  invited_by_account_id?: Id;
  account: Account;
}

export interface AdminBlockUse {
  /** The beginning of the day, UTC, Unix seconds. */
  day: string;
  /** Refused sign-ups, as `uses`. */
  accounts: string;
  /** Refused sign-ups. */
  uses: string;
}

export interface AdminEmailDomainBlock {
  id: Id;
  /** In ASCII. */
  domain: string;
  created_at: Time;
  history: AdminBlockUse[];
  allow_with_approval: false;
}

export interface AdminIpBlock {
  id: Id;
  /** A network in CIDR notation, such as `192.0.2.0/24`; of IPv6 with 64 bits at most. */
  ip: string;
  severity: IpBlockSeverity;
  comment: string;
  created_at: Time;
  expires_at: Time | null;
}

export interface AdminReport {
  id: string;
  /** Whether it is resolved. */
  action_taken: boolean;
  action_taken_at: Time | null;
  category: "spam" | "legal" | "violation" | "other";
  comment: string;
  forwarded: boolean;
  created_at: Time;
  updated_at: Time;
  /** The reporter; null when the account is erased. */
  account: AdminAccount | null;
  /** Null when the account is erased. */
  target_account: AdminAccount | null;
  /** The moderator who has taken it; null = nobody. */
  assigned_account: AdminAccount | null;
  /** The moderator who has resolved it; null = nobody, or an operator. */
  action_taken_by_account: AdminAccount | null;
  /** Those that are not deleted. */
  statuses: Status[];
  /** Rules that it names, also removed ones. */
  rules: Rules;
}

export interface AdminUsernameBlock {
  id: Id;
  /** In lower case; a star stands for any letters. */
  username: string;
  comment: string;
  created_at: Time;
}

export interface Announcement {
  id: Id;
  /** HTML. */
  content: string;
  /** The beginning of the event that it is about. */
  starts_at: Time | null;
  /** The end of the event; then it is not listed any more. */
  ends_at: Time | null;
  /** Whether both are days rather than times. */
  all_day: boolean;
  published_at: Time;
  updated_at: Time;
  /** Whether you have dismissed it. */
  read: boolean;
  mentions: Nothing;
  statuses: Nothing;
  tags: {
    name: string;
    url: Url;
  }[];
  emojis: CustomEmoji[];
  reactions: Nothing;
}

export interface Appeal {
  text: string;
  state: "pending" | "approved" | "rejected";
}

export interface ApplicationFields {
  id: string;
  name: string;
  website: string | null;
  scopes: string[];
  redirect_uri: string;
  redirect_uris: string[];
  vapid_key: string;
}

/** What makes a status an article; others have none. */
export interface Article {
  title: string;
  link: Url | null;
  /** That of the author is the first. */
  votes: number;
  /** Seconds of publication, and 432 for each vote. */
  score: number;
  /** Whether you voted; null when you are not logged in, and when the voting is over. */
  voted: boolean | null;
  voting_ends_at: Time;
  groups: GroupName[];
}

export interface ArticleGroup {
  name: GroupName;
  articles_count: Count;
}

export interface AuditEntry {
  id: string;
  created_at: Time;
  /** Such as `role.set`; with `.failed` behind it, an act that was logged and then failed. */
  action: string;
  /** `other` = a way that this version does not know. */
  via: "api" | "command" | "console" | "other";
  /** The account that acted; null = an operator. */
  by_account_id: string | null;
  /** The user of the system, or the session at the console; null = an account. */
  by_operator: string | null;
  target_account_id: string | null;
  report_id: string | null;
  status_id: string | null;
  /** Such as the new role; may be empty. */
  detail: string;
  /** The reason as the actor wrote it; may be empty. */
  why: string;
}

export interface AuditLog {
  entries: AuditEntry[];
  /** The `max_id` of the next page; null = there is none. */
  next: string | null;
}

/** RFC 8414. */
export interface AuthorizationServer {
  issuer: Url;
  authorization_endpoint: Url;
  token_endpoint: Url;
  revocation_endpoint: Url;
  app_registration_endpoint?: Url;
  scopes_supported: string[];
  response_types_supported: "code"[];
  response_modes_supported?: string[];
  grant_types_supported: ("authorization_code" | "client_credentials" | "password")[];
  code_challenge_methods_supported: "S256"[];
  token_endpoint_auth_methods_supported: string[];
  authorization_response_iss_parameter_supported: boolean;
}

export interface Availability {
  /** Whether everything that was asked for is. */
  available: boolean;
  username?: boolean;
  email?: boolean;
}

export interface Challenge {
  challenge: string | null;
  algorithm: "sha-256";
  /** 0 = none is demanded. */
  bits: number;
  expires_at: Time | null;
}

export interface ConfigurationFields {
  accounts: {
    max_featured_tags: Count;
    max_pinned_statuses: Count;
  };
  statuses: {
    max_characters: Count;
    max_media_attachments: Count;
    characters_reserved_per_url: Count;
  };
  media_attachments: {
    /** Empty where nothing can be uploaded; some formats have several names. */
    supported_mime_types: string[];
    description_limit: Count;
    image_size_limit: Count;
    image_matrix_limit: Count;
    /** Bytes of a video or a sound; 0 where none is taken. */
    video_size_limit: number;
    /** What apps may aim at; more is not refused. */
    video_frame_rate_limit: number;
    video_matrix_limit: Count;
  };
  polls: PollLimits;
}

export interface Context {
  ancestors: Status[];
  descendants: Status[];
}

export interface Conversation {
  id: Id;
  /** Whether somebody else has written since you have read it or written last. */
  unread: boolean;
  /** Who takes part besides you; you alone when nobody else does. */
  accounts: Account[];
  last_status: Status;
}

export type Count = number;

/** Any decimal number; take it from the Link header. */
export type Cursor = string;

export interface CustomEmoji {
  /** Without its colons. */
  shortcode: string;
  url: Url;
  static_url: Url;
  visible_in_picker: boolean;
  /** In the list only, and not of one that has none. */
  category?: string;
}

/** Those that its texts show. */
export type CustomEmojis = CustomEmoji[];

export type Empty = Record<string, unknown>;

export interface Factor {
  enabled: boolean;
  enabled_at: Time | null;
  /** Unused ones. */
  recovery_codes: number;
  /** When the operator of the server removed it, until you enable another; null = never. */
  removed_at: Time | null;
  /** Whether the server wants the account to have one. */
  required: boolean;
}

export interface FamiliarFollowers {
  id: Id;
  accounts: Account[];
}

export interface FeaturedTag {
  id: Id;
  name: string;
  url: Url;
  /** How many of the newest 200 posts have it: those that are public or unlisted. */
  statuses_count: string;
  /** The day (UTC) of the newest of these statuses; null = the account has no such status. */
  last_status_at: string | null;
}

/** Who may read what this server, and what other ones have written. */
export interface FeedAccess {
  local: "public" | "authenticated" | "disabled";
  remote: "public" | "authenticated" | "disabled";
}

export interface Filter {
  id: Id;
  title: string;
  context: FilterContexts;
  /** From when on it matches nothing; null = never. */
  expires_at: Time | null;
  /**
   * What your client does with a status that matches: shows the title in its place, nothing of it, or all but its
   * pictures.
   */
  filter_action: "warn" | "hide" | "blur";
  keywords: FilterKeyword[];
  statuses: FilterStatus[];
}

/** Where your client applies it: home and lists, notifications, public timelines, threads, profiles. */
export type FilterContexts = ("home" | "notifications" | "public" | "thread" | "account")[];

export interface FilterHead {
  id: Id;
  title: string;
  context: FilterContexts;
  /** From when on it matches nothing; null = never. */
  expires_at: Time | null;
  /**
   * What your client does with a status that matches: shows the title in its place, nothing of it, or all but its
   * pictures.
   */
  filter_action: "warn" | "hide" | "blur";
}

export interface FilterKeyword {
  id: Id;
  keyword: string;
  whole_word: boolean;
}

export interface FilterResult {
  filter: FilterHead;
  /** The first words of the status that match; null = none do. */
  keyword_matches: string[] | null;
  /** Statuses under the filter; null = none is. */
  status_matches: Id[] | null;
}

export interface FilterStatus {
  id: Id;
  status_id: Id;
}

/** Letters and digits of any script, `_` and `-`. */
export type GroupName = string;

/** An account and a status stand here once, however many groups name them. */
export interface GroupedNotifications {
  accounts: Account[];
  /** With `expand_accounts=partial_avatars` those that are not in `accounts`. */
  partial_accounts?: PartialAccount[];
  statuses: Status[];
  notification_groups: NotificationGroup[];
}

/** A post that waits for a moderator. */
export interface HeldStatus {
  id: Id;
  created_at: Time;
  /** When it ends unless a moderator has decided. */
  expires_at: Time;
  /** The time for which its author has scheduled it; null = at once. */
  scheduled_at: Time | null;
  signal: Signal;
  /** The signal as a sentence for people. */
  reason: string;
  /** The status under which it is a comment; null = it is none. */
  comment_on_id: Id | null;
  params: StatusParams;
  media_attachments: MediaAttachment[];
  /** Its author, for moderators only. */
  account?: Account;
}

/** Sanitised HTML of p, br, span and a. */
export type Html = string;

/** Decimal, at most 2^53 - 1, so that JavaScript's numbers hold it. */
export type Id = string;

export interface InstanceV1 {
  uri: string;
  title: string;
  short_description: string;
  description: string;
  email: string;
  version: string;
  urls: {
    streaming_api: string;
  };
  stats: {
    user_count: Count;
    status_count: Count;
    domain_count: Count;
  };
  thumbnail: Url;
  languages: string[];
  registrations: boolean;
  /** Whether a moderator decides about each new account. */
  approval_required: boolean;
  /** Whether every account may invite people. */
  invites_enabled: boolean;
  configuration: ServerConfiguration;
  contact_account: Account | null;
  rules: Rules;
}

export interface InstanceV2 {
  domain: string;
  title: string;
  version: string;
  source_url: Url;
  description: string;
  usage: {
    users: {
      active_month: Count;
    };
  };
  thumbnail: {
    url: Url;
  };
  icon: Nothing;
  languages: string[];
  configuration: unknown;
  registrations: {
    enabled: boolean;
    /** Whether a moderator decides about each new account. */
    approval_required: boolean;
    /** Whether a sign-up needs the parameter `reason`. */
    reason_required: boolean;
    min_age: null;
    message: string | null;
    url: string | null;
  };
  api_versions: {
    mastodon: number;
  };
  contact: {
    email: string;
    account: Account | null;
  };
  rules: Rules;
  /** How many are shown to accounts now. Not in Mastodon. */
  announcements: number;
}

export interface Invitation {
  code: string;
  /** The page to sign up with it. */
  url: string;
  /** The inviter; null = an operator. */
  account_id: Id | null;
  created_at: Time;
  expires_at: Time | null;
  max_uses: number | null;
  uses: number;
  /** Whether somebody can sign up with it now. */
  valid: boolean;
  comment: string;
}

/** `sign_up_requires_approval`: accounts of the network wait for the approval of a moderator. */
export type IpBlockSeverity = "sign_up_requires_approval" | "sign_up_block" | "no_access";

export interface ListedToken {
  id: string;
  /** The name of the application; null when the token was made without one. */
  client: string | null;
  scopes: string;
  created_at: Time;
  /** Of a session of the web pages; null when it is unknown. */
  browser: string | null;
  /** The operating system of that browser. */
  system: string | null;
  /** From where that session began: the /24 of an IPv4 address, the /48 of an IPv6 address. */
  network: string | null;
  /** To the hour; null when it is unknown. */
  last_used_at: Time | null;
  /** Whether it is the one of this request. */
  current: boolean;
}

export interface Marker {
  last_read_id: Id;
  version: number;
  updated_at: Time;
}

export interface Markers {
  home?: Marker;
  notifications?: Marker;
}

export interface MediaAttachment {
  id: Id;
  type: "image" | "video" | "audio";
  /** Null while an upload is processed. */
  url: string | null;
  /** A small picture of it. Null while an upload is processed, and of a video or a sound that has none. */
  preview_url: string | null;
  remote_url: null;
  preview_remote_url?: null;
  text_url?: null;
  /** What is known: of a picture the two sizes; of a video or a sound also its length, as far as its file tells it. */
  meta: {
    length?: string;
    /** Seconds. */
    duration?: number;
    /** Frames a second. */
    fps?: number;
    size?: string;
    width?: number;
    height?: number;
    aspect?: number;
    original?: OriginalSize;
    small?: PictureSize;
    focus: {
      x: number;
      y: number;
    };
  };
  description: string | null;
  /** A few colours of it, see blurha.sh. Null while an upload is processed, and without a preview. */
  blurhash: string | null;
}

export interface Mention {
  id: Id;
  username: string;
  url: Url;
  acct: string;
}

export interface ModeratorNote {
  /** Its number among the notes on this account. */
  id: string;
  created_at: Time;
  /** null = an operator. */
  by_account_id: string | null;
  /** The name of an operator; null = an account. */
  by_operator: string | null;
  text: string;
}

export interface NewFactor {
  /** In Base32. */
  secret: string;
  /** The secret as authenticator apps read it, `otpauth://totp/...`. */
  uri: string;
  /** Width and height of the QR code of `uri`, with its margin. */
  qr_size: number;
  /** Its dark squares as the path of an SVG picture of that size. */
  qr_path: string;
}

export interface NodeInfo {
  version: "2.0";
  software: {
    name: "fanfare";
    version: string;
  };
  protocols: string[];
  services: {
    inbound: Nothing;
    outbound: Nothing;
  };
  usage: {
    users: Record<string, Count>;
    localPosts?: Count;
  };
  openRegistrations: boolean;
  metadata: {
    upstream: {
      name: "mastodon";
    };
    /** Of which the server was built; not known to every build */
    commit?: string;
    commit_time?: string;
  };
}

export interface NodeInfoLinks {
  links: {
    rel: string;
    href: Url;
  }[];
}

/** Always empty here. */
export type Nothing = unknown[];

export interface Notification {
  id: Id;
  type: "follow" | "follow_request" | "favourite" | "reblog" | "mention" | "quote" | "update" | "quoted_update" | "status" | "poll" | "moderation_warning";
  group_key: string;
  created_at: Time;
  account: Account;
  status?: Status;
  moderation_warning?: AccountWarning;
}

export interface NotificationGroup {
  group_key: string;
  notifications_count: number;
  type: "follow" | "follow_request" | "favourite" | "reblog" | "mention" | "quote" | "update" | "quoted_update" | "status" | "poll" | "moderation_warning";
  /** A number, as in Mastodon. */
  most_recent_notification_id: number;
  /** Of its notifications on this page the oldest; on pages only, as the next two. */
  page_min_id?: Id;
  page_max_id?: Id;
  latest_page_notification_at?: Time;
  sample_account_ids: Id[];
  status_id?: Id;
  moderation_warning?: AccountWarning;
}

export interface NotificationPolicy {
  /** Accounts that you do not follow. */
  for_not_following: "accept" | "filter" | "drop";
  /** Accounts that do not follow you. */
  for_not_followers: "accept" | "filter" | "drop";
  /** Accounts that were less than 30 days old when it happened. */
  for_new_accounts: "accept" | "filter" | "drop";
  /** Direct messages: kept, without effect so far. */
  for_private_mentions: "accept" | "filter" | "drop";
  /** Accounts that a moderator has limited and that you do not follow; `filter` unless you choose. */
  for_limited_accounts: "accept" | "filter" | "drop";
  summary: {
    pending_requests_count: number;
    pending_notifications_count: Count;
  };
}

export interface NotificationRequest {
  /** That of the account. */
  id: Id;
  created_at: Time;
  updated_at: Time;
  account: Account;
  /** A string, as in Mastodon. */
  notifications_count: string;
  last_status?: Status;
}

/** Of a picture its size; of a video or a sound what is known. */
export interface OriginalSize {
  width?: number;
  height?: number;
  size?: string;
  aspect?: number;
  /** Frames a second, as a fraction. */
  frame_rate?: string;
  /** Seconds. */
  duration?: number;
  /** Bits a second of the whole file. */
  bitrate?: number;
}

export interface PartialAccount {
  id: Id;
  acct: string;
  locked: boolean;
  bot: boolean;
  url: string;
  avatar: string;
  avatar_static: string;
}

export interface PictureSize {
  width: number;
  height: number;
  size: string;
  aspect: number;
}

export interface Place {
  lat: number;
  long: number;
  name: string | null;
}

export interface Poll {
  id: Id;
  expires_at: Time;
  expired: boolean;
  multiple: boolean;
  votes_count: Count;
  voters_count: Count;
  options: {
    title: string;
    /** Null until the end of a poll that hides its totals. */
    votes_count: number | null;
  }[];
  emojis: CustomEmojis;
  /** Whether you have voted; true of your own. */
  voted?: boolean;
  /** The numbers of the options that you have chosen, in the order of your votes. */
  own_votes?: number[];
}

export interface PollLimits {
  max_options: Count;
  max_characters_per_option: Count;
  min_expiration: Count;
  max_expiration: Count;
}

export interface Preferences {
  "posting:default:visibility": Visibility;
  "posting:default:sensitive": boolean;
  "posting:default:language": string | null;
  "posting:default:quote_policy"?: "public" | "followers" | "nobody";
  "reading:expand:media": "default" | "show_all" | "hide_all";
  "reading:expand:spoilers": boolean;
  "reading:autoplay:gifs"?: boolean;
  /** As `source[aggregate_reblogs]` of update_credentials. Not in Mastodon's API. */
  "reading:aggregate:reblogs"?: boolean;
}

export interface ProfileField {
  name: string;
  value: string;
  verified_at: null;
}

export interface PushAlerts {
  mention?: boolean;
  quote?: boolean;
  status?: boolean;
  reblog?: boolean;
  follow?: boolean;
  follow_request?: boolean;
  favourite?: boolean;
  poll?: boolean;
  update?: boolean;
  quoted_update?: boolean;
  "admin.sign_up"?: boolean;
  "admin.report"?: boolean;
}

export interface PushData {
  policy?: "all" | "followed" | "follower" | "none";
  alerts?: PushAlerts;
}

/** What a quote shows: the quoted status, or why it cannot be shown. */
export interface Quote {
  state: "pending" | "accepted" | "rejected" | "revoked" | "deleted" | "unauthorized" | "blocked_account" | "blocked_domain" | "muted_account";
  quoted_status: Status | null;
}

/**
 * Who may quote it besides its author: everybody, those who follow the author, or nobody. When left out, the author's
 * default: `source[quote_policy]` of update_credentials, at first `public`. Without effect on what is `private` or
 * `direct`, which only its author may quote, and nobody what is `direct`.
 */
export type QuotePolicy = "public" | "followers" | "nobody";

export interface RecoveryCodes {
  recovery_codes: string[];
}

export interface Relationship {
  id: Id;
  following: boolean;
  /** Whether you follow the account and your home shows its reposts. */
  showing_reblogs: boolean;
  /** Whether you are told of each post of the account. */
  notifying: boolean;
  /** Of which the posts are that your home, your lists and their streams show; null = all. */
  languages: string[] | null;
  followed_by: boolean;
  blocking: boolean;
  blocked_by: boolean;
  muting: boolean;
  muting_notifications: boolean;
  /** When the mute ends; null = never. */
  muting_expires_at: Time | null;
  /** Whether you have asked to follow the account. */
  requested: boolean;
  /** Whether the account has asked to follow you. */
  requested_by: boolean;
  domain_blocking: boolean;
  /** Whether you recommend the account on your profile. */
  endorsed: boolean;
  /** What you have noted about the account. */
  note: string;
}

/** What became of one id of a batch: the relationship, or why there is none. */
export type RelationshipOrError = Relationship | {
  /** As it was sent. */
  id: string;
  error: string;
};

export interface Report {
  id: string;
  action_taken: boolean;
  action_taken_at: null;
  category: "spam" | "legal" | "violation" | "other";
  comment: string;
  forwarded: boolean;
  created_at: Time;
  status_ids: Id[];
  rule_ids: Id[] | null;
  target_account: Account;
}

export interface Role {
  /** -99 = an ordinary user, 1 = moderator, 2 = admin, 3 = owner. */
  id: "-99" | "1" | "2" | "3";
  name: "" | "Moderator" | "Admin" | "Owner";
  /** The sum of the flags of Mastodon's permissions, decimal. */
  permissions: string;
  color: string;
  highlighted: boolean;
}

export interface Rule {
  id: Id;
  text: string;
  /** An explanation; may be empty. */
  hint: string;
  /** By language, such as `zh` or `pt-BR`. */
  translations: Record<string, {
    text: string;
    hint: string;
  }>;
}

export type Rules = Rule[];

export interface ScheduledStatus {
  id: Id;
  scheduled_at: Time;
  params: StatusParams;
  media_attachments: MediaAttachment[];
}

export interface Search {
  accounts: Account[];
  statuses: Status[];
  hashtags: Tag[];
}

/** A quote inside a quoted or reposted status: by its id alone. */
export interface ShallowQuote {
  state: "pending" | "accepted" | "rejected" | "revoked" | "deleted" | "unauthorized" | "blocked_account" | "blocked_domain" | "muted_account";
  quoted_status_id: Id | null;
}

/**
 * A sign of abuse in a post of a young account: a link to another site; many accounts named that do not follow it; a
 * text or a link that several young accounts post.
 */
export type Signal = "links" | "mentions" | "same_text";

export interface SiteText {
  /** Null if there is no text. */
  updated_at: Time | null;
  /** HTML: headings, paragraphs, lists and links. */
  content: string;
}

export interface StatusEdit {
  /** HTML. */
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  created_at: Time;
  account: Account;
  media_attachments: MediaAttachment[];
  /** Of a quote only. */
  quote?: Quote;
  /** Of a status with a poll only. */
  poll?: {
    options: {
      title: string;
    }[];
  };
  emojis: CustomEmojis;
}

export interface StatusFields {
  id: Id;
  created_at: Time;
  in_reply_to_id: Id | null;
  in_reply_to_account_id: Id | null;
  sensitive: boolean;
  spoiler_text: string;
  visibility: Visibility;
  language: string | null;
  uri: Url;
  url: Url | null;
  /** Comments, and replies among them. */
  replies_count: Count;
  reblogs_count: Count;
  favourites_count: Count;
  quotes_count: Count;
  quote_approval: {
    automatic: ("public" | "followers" | "following" | "unsupported_policy")[];
    manual: ("public" | "followers" | "following" | "unsupported_policy")[];
    current_user: "automatic" | "manual" | "denied" | "unknown";
  };
  /** When it was last edited. */
  edited_at: Time | null;
  content: Html;
  application: {
    name: string;
    website: string | null;
  } | null;
  account: Account;
  media_attachments: MediaAttachment[];
  mentions: Mention[];
  tags: StatusTag[];
  emojis: CustomEmojis;
  card: null;
  poll: Poll | null;
  /** Whether you like it; this and the next five only when you are logged in. */
  favourited?: boolean;
  reblogged?: boolean;
  /** Whether you have muted its conversation. */
  muted?: boolean;
  bookmarked?: boolean;
  pinned?: boolean;
  /**
   * Which of your filters match it, whatever their contexts: your client applies them. Of what you have written
   * yourself none does.
   */
  filtered?: FilterResult[];
  /** Where it was written. */
  place?: Place | null;
  article?: Article;
  /** A tombstone: the status is gone. */
  deleted?: boolean;
}

/** The parameters of the request. */
export interface StatusParams {
  text: string;
  poll: {
    options: string[];
    expires_in: number;
    multiple: boolean;
    hide_totals: boolean;
  } | null;
  media_ids: Id[] | null;
  sensitive: boolean | null;
  spoiler_text: string | null;
  visibility: string | null;
  language: string | null;
  scheduled_at: null;
  idempotency: null;
  with_rate_limit: boolean;
  in_reply_to_id: number | null;
  application_id: null;
  quoted_status_id: string | null;
  quote_approval_policy: "public" | "followers" | "nobody" | null;
}

export interface StatusSource {
  id: Id;
  text: string;
  spoiler_text: string;
}

export interface StatusTag {
  name: string;
  url: Url;
}

export interface Suggestion {
  /** Deprecated by Mastodon. */
  source: "past_interactions" | "global";
  sources: ("friends_of_friends" | "most_followed")[];
  account: Account;
}

export interface Tag {
  /** The name, which nothing else has. */
  id: string;
  name: string;
  url: Url;
  /**
   * The last seven days (UTC), today first: public posts with the hashtag, and who has written them. A day counts
   * 10,000 posts at most.
   */
  history: {
    /** When it began, in Unix seconds. */
    day: string;
    uses: string;
    accounts: string;
  }[];
  following?: boolean;
  featuring?: boolean;
}

export interface TermsOfService {
  effective_date: string;
  /** Whether that day has come. */
  effective: boolean;
  /** HTML: headings, paragraphs, lists and links. */
  content: string;
  /** The day of the next version. */
  succeeded_by: string | null;
}

export type Time = string;

export interface Token {
  access_token: string;
  token_type: "Bearer";
  scope: string;
  /** Seconds since 1970. */
  created_at: number;
}

export type Url = string;

export interface UserList {
  id: Id;
  title: string;
  replies_policy: "followed" | "list" | "none";
  exclusive: boolean;
}

export type Visibility = "public" | "unlisted" | "private" | "direct";

export interface WebFinger {
  subject: string;
  aliases: string[];
  links: {
    rel: string;
    type: string;
    href: string;
  }[];
}

export interface WebPushSubscription {
  /** A number, as Mastodon sends it. */
  id: number;
  endpoint: string;
  standard: boolean;
  alerts: PushAlerts;
  server_key: string;
  policy: "all" | "followed" | "follower" | "none";
}

export interface Account extends AccountFields {
  id: Id;
}

/** An account in a list of followers or followed. */
export interface AccountEntry extends AccountFields {
  /** How you stand to the account; null when nobody is logged in. */
  relationship_state: "none" | "following" | "follower" | "mutual" | "self" | null;
  /** When the one began to follow the other. */
  followed_at: Time;
}

export interface Application extends ApplicationFields {
  id: string;
}

/** Your own account. */
export interface CredentialAccount extends AccountFields {
  source: {
    privacy: Visibility;
    sensitive: boolean;
    language: string | null;
    /** As it was written, without HTML. */
    note: string;
    fields: ProfileField[];
    follow_requests_count: number;
    quote_policy: "public" | "followers" | "nobody";
    /** Whether your home and lists leave out boosts of what stands close below (docs/feeds.md). Not in Mastodon's API. */
    aggregate_reblogs: boolean;
    hide_collections: boolean;
    discoverable: boolean;
    indexable: boolean;
    attribution_domains: string[];
  };
  role: Role;
}

export interface CredentialApplication extends ApplicationFields {
  client_id: string;
  client_secret: string;
  client_secret_expires_at: 0;
}

/** A status that has just been deleted, with its source: so that it can be written again. */
export interface DeletedStatus extends StatusFields {
  /** The reposted status; one that is gone is there without content, with `deleted`. */
  reblog: Status | null;
  quote: Quote | ShallowQuote | null;
  text: string;
}

export interface MutedAccount extends AccountFields {
  /** When the mute ends; null = never. */
  mute_expires_at: Time | null;
}

export interface ServerConfiguration extends ConfigurationFields {
  polls: PollLimits;
}

export interface Status extends StatusFields {
  /** In the answer to its author who has just posted it: why it is at most unlisted. Else it is left out. */
  limited_by?: {
    signal: Signal;
    reason: string;
  };
  /** The reposted status; one that is gone is there without content, with `deleted`. */
  reblog: Status | null;
  quote: Quote | ShallowQuote | null;
}
