/** The URL of an ntfy topic. Any server is allowed, because people run their own. */
export const ntfyTopicPattern = /^https?:\/\/[^/\s]+\/\S+$/;

/** The message for a URL that does not match the pattern. */
export const ntfyTopicProblem = 'Please enter an address like https://ntfy.sh/my-topic';
