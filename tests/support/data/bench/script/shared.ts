export enum Theme { Classic = "classic", Hummingbird = "hummingbird" }
export const excluded: readonly string[] = ["ps_banner", "ps_*test"];
