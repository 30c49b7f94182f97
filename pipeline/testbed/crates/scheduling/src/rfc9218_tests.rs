//! What the scheduler promises, on examples and on many made-up connections.

use sha2::{Digest, Sha256};

use super::*;

fn priority(field: &str) -> Priority {
    Priority::parse(field.as_bytes())
}

fn admitted(streams: &[(StreamId, &str)]) -> Rfc9218 {
    let mut scheduler = Rfc9218::default();
    for (stream, field) in streams {
        scheduler.admit(*stream, priority(field));
    }
    scheduler
}

/// Streams in the order of their turns; each has this many chunks and leaves with its last.
fn order(mut scheduler: Rfc9218, chunks: &[(StreamId, usize)], blocked: &[StreamId]) -> Vec<StreamId> {
    let mut left: BTreeMap<StreamId, usize> = chunks.iter().copied().collect();
    let blocked = blocked.iter().copied().collect();
    let mut order = Vec::new();
    while let Some(stream) = scheduler.next(&blocked) {
        scheduler.sent(stream, CHUNK_BYTES);
        order.push(stream);
        let left = left.get_mut(&stream).expect("an admitted stream");
        *left -= 1;
        if *left == 0 {
            scheduler.withdraw(stream);
        }
    }
    order
}

#[test]
fn the_more_urgent_goes_first_whenever_it_was_asked_for() {
    let scheduler = admitted(&[(0, "u=5"), (4, "u=0, i"), (8, ""), (12, "u=1")]);
    assert_eq!(order(scheduler, &[(0, 2), (4, 2), (8, 1), (12, 1)], &[]), [4, 4, 12, 8, 0, 0]);
}

#[test]
fn responses_that_are_not_incremental_go_one_after_the_other_in_the_order_of_their_requests() {
    // The third request arrived first, as it may over QUIC.
    let scheduler = admitted(&[(8, "u=2"), (0, "u=2"), (4, "u=2")]);
    assert_eq!(order(scheduler, &[(0, 2), (4, 2), (8, 2)], &[]), [0, 0, 4, 4, 8, 8]);
}

#[test]
fn incremental_responses_share() {
    let scheduler = admitted(&[(0, "i"), (4, "i"), (8, "i")]);
    assert_eq!(order(scheduler, &[(0, 3), (4, 1), (8, 2)], &[]), [0, 4, 8, 0, 8, 0]);
}

#[test]
fn a_line_takes_one_part_among_incremental_ones_of_its_urgency() {
    let scheduler = admitted(&[(0, ""), (4, "i"), (8, ""), (12, "i")]);
    let chunks = [(0, 2), (4, 3), (8, 2), (12, 3)];
    assert_eq!(order(scheduler, &chunks, &[]), [0, 4, 12, 0, 4, 12, 8, 4, 12, 8]);
}

#[test]
fn a_turn_lasts_until_a_whole_chunk_is_sent() {
    let mut scheduler = admitted(&[(0, "i"), (4, "i")]);
    scheduler.sent(0, CHUNK_BYTES - 1);
    assert_eq!(scheduler.next(&BTreeSet::new()), Some(0));
    scheduler.sent(0, 1);
    assert_eq!(scheduler.next(&BTreeSet::new()), Some(4));
}

#[test]
fn a_more_urgent_newcomer_goes_next_and_the_turn_goes_on_after_it() {
    let mut scheduler = admitted(&[(0, "u=5, i"), (4, "u=5, i")]);
    scheduler.sent(0, 100);
    scheduler.admit(8, priority("u=0"));
    assert_eq!(scheduler.next(&BTreeSet::new()), Some(8));
    scheduler.withdraw(8);
    assert_eq!(scheduler.next(&BTreeSet::new()), Some(0));
}

#[test]
fn what_flow_control_holds_back_lets_others_pass_and_keeps_its_place() {
    let scheduler = || admitted(&[(0, "u=1"), (4, "u=1"), (8, "u=6, i")]);
    assert_eq!(scheduler().next(&BTreeSet::from([0])), Some(4));
    assert_eq!(scheduler().next(&BTreeSet::from([0, 4])), Some(8));
    assert_eq!(scheduler().next(&BTreeSet::from([0, 4, 8])), None);
    assert_eq!(order(scheduler(), &[(0, 1), (4, 2), (8, 1)], &[0]), [4, 4, 8]);
}

#[test]
fn a_changed_mind_counts_from_the_next_chunk_on_and_an_unchanged_one_costs_nothing() {
    let mut scheduler = admitted(&[(0, "u=5"), (4, "u=5"), (8, "i"), (12, "i")]);
    scheduler.reprioritize(8, priority("i"));
    scheduler.reprioritize(99, priority("u=0"));
    assert_eq!(scheduler.next(&BTreeSet::new()), Some(8));
    scheduler.reprioritize(4, priority("u=1"));
    assert_eq!(order(scheduler, &[(0, 1), (4, 2), (8, 1), (12, 1)], &[]), [4, 4, 8, 12, 0]);
}

#[test]
fn nobody_left_is_none_and_strangers_change_nothing() {
    let mut scheduler = admitted(&[(0, "u=1")]);
    scheduler.withdraw(0);
    scheduler.withdraw(0);
    scheduler.sent(0, 1);
    assert_eq!(scheduler.next(&BTreeSet::new()), None);
    assert!(scheduler.levels.is_empty() && scheduler.streams.is_empty());
}

/// Numbers that look random and are the same every time.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn throw(&mut self, below: usize) -> usize {
        self.thrown += 1;
        let hash = Sha256::digest(format!("{} {}", self.seed, self.thrown));
        usize::from(u16::from_be_bytes([hash[0], hash[1]])) % below
    }
}

/// A connection of made-up requests, changes of mind, flow control and partial chunks, checked against the promises themselves,
/// which know nothing of levels and turns.
#[test]
fn promises_hold_on_any_connection() {
    for seed in 0..200 {
        let mut dice = Dice { seed, thrown: 0 };
        let mut scheduler = Rfc9218::default();
        // What is known of each stream: its priority, and the bytes it was given since it last shared with the same others.
        let mut known: BTreeMap<StreamId, (Priority, usize)> = BTreeMap::new();
        let forget_shares = |known: &mut BTreeMap<StreamId, (Priority, usize)>| {
            known.values_mut().for_each(|(_, given)| *given = 0);
        };
        for step in 0..300_u64 {
            let some = Priority { urgency: dice.throw(3) as u8, incremental: dice.throw(2) == 0 };
            match dice.throw(10) {
                0 | 1 => {
                    scheduler.admit(step * 4, some);
                    known.insert(step * 4, (some, 0));
                    forget_shares(&mut known);
                }
                2 if !known.is_empty() => {
                    let stream = *known.keys().nth(dice.throw(known.len())).expect("in range");
                    scheduler.withdraw(stream);
                    known.remove(&stream);
                    forget_shares(&mut known);
                }
                3 if !known.is_empty() => {
                    let stream = *known.keys().nth(dice.throw(known.len())).expect("in range");
                    scheduler.reprioritize(stream, some);
                    known.insert(stream, (some, 0));
                    forget_shares(&mut known);
                }
                _ => {
                    let blocked: BTreeSet<StreamId> = known.keys().copied().filter(|_| dice.throw(8) == 0).collect();
                    let free = || known.iter().filter(|(stream, _)| !blocked.contains(stream));
                    let chosen = scheduler.next(&blocked);
                    let Some(stream) = chosen else {
                        assert_eq!(free().count(), 0, "seed {seed}, step {step}: idle beside waiting streams");
                        continue;
                    };
                    let (priority, _) = known[&stream];
                    assert!(!blocked.contains(&stream));
                    assert!(
                        free().all(|(_, (other, _))| priority.urgency <= other.urgency),
                        "seed {seed}, step {step}"
                    );
                    let in_line = |other: &Priority| other.urgency == priority.urgency && !other.incremental;
                    assert!(
                        priority.incremental || free().all(|(id, (other, _))| !in_line(other) || stream <= *id),
                        "seed {seed}, step {step}: out of order"
                    );
                    let bytes = 1 + dice.throw(CHUNK_BYTES);
                    scheduler.sent(stream, bytes);
                    if blocked.is_empty() {
                        known.get_mut(&stream).expect("known").1 += bytes;
                        // Of equals that share, none is ever further ahead than its turn and what was left of the others'.
                        let shares = known
                            .values()
                            .filter(|(other, _)| other.urgency == priority.urgency && other.incremental)
                            .map(|(_, given)| *given);
                        let (least, most) = (shares.clone().min().unwrap_or(0), shares.max().unwrap_or(0));
                        assert!(most - least <= 4 * CHUNK_BYTES, "seed {seed}, step {step}: {most} beside {least}");
                    } else {
                        forget_shares(&mut known);
                    }
                }
            }
        }
    }
}
