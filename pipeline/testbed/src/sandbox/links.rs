//! The links between the namespaces: client - emulation - server, with every server address on the server's loopback.

use std::net::Ipv4Addr;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use nix::errno::Errno;
use rattan_env::{MacAddr, VethCell};
use rtnetlink::packet_route::link::{LinkAttribute, State};
use rtnetlink::packet_route::neighbour::NeighbourState;
use rtnetlink::packet_route::route::{RouteAttribute, RouteMetric, RouteScope};
use rtnetlink::{Handle, LinkMessageBuilder, LinkUnspec, LinkVeth, RouteMessageBuilder};

use super::error::SandboxError;
use super::namespace::Namespace;
use eyelevel_definitions::networks::MTU_BYTES;

/// The interface of client and of server, in their namespaces.
const INTERFACE: &str = "eth0";
const CLIENT_MAC: [u8; 6] = [0x02, 0x65, 0x6c, 0, 0, 1];
const SERVER_MAC: [u8; 6] = [0x02, 0x65, 0x6c, 0, 0, 2];
const TO_CLIENT_MAC: [u8; 6] = [0x02, 0x65, 0x6c, 0, 1, 1];
const TO_SERVER_MAC: [u8; 6] = [0x02, 0x65, 0x6c, 0, 1, 2];

const SETTLING_LIMIT: Duration = Duration::from_secs(10);

/// The emulation's two interfaces. Each knows its far end.
#[derive(Debug)]
pub struct Links {
    pub to_client: Arc<VethCell>,
    pub to_server: Arc<VethCell>,
    _far_ends: [Arc<VethCell>; 2],
}

/// One veth pair to lay.
struct Pair {
    near: &'static str,
    near_mac: [u8; 6],
    far_mac: [u8; 6],
    far_address: Ipv4Addr,
    /// Who is at the far end of the emulated link, seen from this far end.
    peer_address: Ipv4Addr,
    peer_mac: [u8; 6],
}

impl Links {
    /// Lays both pairs from the calling thread's namespace, and gives each side its addresses and routes.
    /// `route_options` (name and value, as `ip route` has them) apply to the server's route towards the client.
    ///
    /// # Errors
    /// Where the kernel has no veth, refuses a setting, or a link does not come up.
    pub fn lay(
        client: &Namespace,
        server: &Namespace,
        server_addresses: &[Ipv4Addr],
        route_options: &[(&'static str, String)],
    ) -> Result<Self, SandboxError> {
        let metrics = route_options.iter().map(metric).collect::<Result<Vec<_>, _>>()?;
        let (client_address, server_address) = own_addresses(server_addresses);
        let (to_client, client_end) = Pair {
            near: "to-client",
            near_mac: TO_CLIENT_MAC,
            far_mac: CLIENT_MAC,
            far_address: client_address,
            peer_address: server_address,
            peer_mac: SERVER_MAC,
        }
        .lay(client, &[], &[], true)?;
        let (to_server, server_end) = Pair {
            near: "to-server",
            near_mac: TO_SERVER_MAC,
            far_mac: SERVER_MAC,
            far_address: server_address,
            peer_address: client_address,
            peer_mac: CLIENT_MAC,
        }
        .lay(server, server_addresses, &metrics, false)?;
        let links = Self { to_client, to_server, _far_ends: [client_end, server_end] };
        wait_until_up(&links.to_client, &links.to_server)?;
        client.enter(wait_until_up_here)?;
        server.enter(wait_until_up_here)?;
        Ok(links)
    }
}

impl Pair {
    fn lay(
        &self,
        far: &Namespace,
        loopback: &[Ipv4Addr],
        metrics: &[RouteMetric],
        is_default: bool,
    ) -> Result<(Arc<VethCell>, Arc<VethCell>), SandboxError> {
        // The name that the far end has for the moment between its making and its move.
        let passing = format!("{}-far", self.near);
        let near_index = netlink("a veth pair", async |handle| {
            handle.link().add(LinkVeth::new(self.near, &passing).build()).execute().await?;
            let (near, far_end) = (index_of(&handle, self.near).await?, index_of(&handle, &passing).await?);
            let fd = far.handle().as_raw_fd();
            set_link(&handle, LinkMessageBuilder::<LinkUnspec>::new().index(far_end).setns_by_fd(fd)).await?;
            let near_end = LinkMessageBuilder::<LinkUnspec>::new().index(near);
            set_link(&handle, near_end.address(self.near_mac.to_vec()).mtu(MTU_BYTES as u32).up()).await?;
            Ok(near)
        })?;
        without_offloads(self.near)?;
        let far_index = far.enter(|| {
            let index = netlink("an address or a route", async |handle| {
                self.furnish(&handle, &passing, loopback, metrics, is_default).await
            })?;
            without_offloads(INTERFACE)?;
            Ok(index)
        })?;
        self.cells(near_index, far_index, far)
    }

    /// Everything that the far end needs, from inside its namespace.
    async fn furnish(
        &self,
        handle: &Handle,
        passing: &str,
        loopback: &[Ipv4Addr],
        metrics: &[RouteMetric],
        is_default: bool,
    ) -> Result<u32, rtnetlink::Error> {
        let lo = index_of(handle, "lo").await?;
        for address in loopback {
            handle.address().add(lo, (*address).into(), 32).execute().await?;
        }
        set_link(handle, LinkMessageBuilder::<LinkUnspec>::new().index(lo).up()).await?;
        let index = index_of(handle, passing).await?;
        // With larger buffers the kernel appends to what it has already taken, past TCP_NOTSENT_LOWAT, and order is
        // decided early.
        let end = LinkMessageBuilder::<LinkUnspec>::new()
            .index(index)
            .name(INTERFACE.to_owned())
            .append_extra_attribute(LinkAttribute::GsoMaxSegs(1));
        set_link(handle, end.address(self.far_mac.to_vec()).mtu(MTU_BYTES as u32).up()).await?;
        handle.address().add(index, self.far_address.into(), 32).execute().await?;
        let neighbour = handle.neighbours().add(index, self.peer_address.into());
        neighbour.link_local_address(&self.peer_mac).state(NeighbourState::Permanent).execute().await?;

        let mut to_peer = RouteMessageBuilder::<Ipv4Addr>::new()
            .destination_prefix(self.peer_address, 32)
            .output_interface(index)
            .scope(RouteScope::Link);
        if !metrics.is_empty() {
            to_peer.get_mut().attributes.push(RouteAttribute::Metrics(metrics.to_vec()));
        }
        handle.route().add(to_peer.build()).execute().await?;
        if is_default {
            let rest = RouteMessageBuilder::<Ipv4Addr>::new().gateway(self.peer_address).output_interface(index);
            handle.route().add(rest.build()).execute().await?;
        }
        Ok(index)
    }

    /// What the emulation's library knows the pair by.
    fn cells(
        &self,
        near_index: u32,
        far_index: u32,
        far: &Namespace,
    ) -> Result<(Arc<VethCell>, Arc<VethCell>), SandboxError> {
        let cell = |name: &str, index, mac, namespace: &Namespace| {
            Arc::new(VethCell {
                name: name.to_owned(),
                index,
                mac_addr: MacAddr::new(mac),
                ip_addr: (self.far_address.into(), 32),
                peer: once_cell::sync::OnceCell::new(),
                namespace: namespace.handle().clone(),
            })
        };
        let near_end = cell(self.near, near_index, self.near_mac, &Namespace::of_this_thread()?);
        let far_end = cell(INTERFACE, far_index, self.far_mac, far);
        // Both cells are new, so neither has a peer yet.
        let _ = near_end.peer.set(Arc::downgrade(&far_end));
        let _ = far_end.peer.set(Arc::downgrade(&near_end));
        Ok((near_end, far_end))
    }
}

/// The addresses of the link itself: a pair of those set aside for measurements that no recorded host has.
fn own_addresses(taken: &[Ipv4Addr]) -> (Ipv4Addr, Ipv4Addr) {
    (0..=u8::MAX)
        .map(|net| (Ipv4Addr::new(198, 18, net, 1), Ipv4Addr::new(198, 18, net, 2)))
        .find(|pair| !taken.contains(&pair.0) && !taken.contains(&pair.1))
        .expect("a recording has fewer hosts than fill 256 networks")
}

fn metric((name, value): &(&'static str, String)) -> Result<RouteMetric, SandboxError> {
    let number = value.parse::<u32>().map_err(SandboxError::at("the value of a route option"))?;
    match *name {
        "initcwnd" => Ok(RouteMetric::InitCwnd(number)),
        "initrwnd" => Ok(RouteMetric::InitRwnd(number)),
        other => Err(SandboxError::Failed { step: "a route option", reason: format!("{other} is not known here") }),
    }
}

/// No packet may leave larger than the MTU or with its checksum undone: the emulated link sees them as a real one would.
fn without_offloads(interface: &str) -> Result<(), SandboxError> {
    rattan_env::ioctl::disable_checksum_offload(interface).map_err(SandboxError::at("switching offloads off"))
}

fn wait_until_up_here() -> Result<(), SandboxError> {
    wait_for(|handle| async move { is_up(&handle, index_of(&handle, INTERFACE).await?).await })
}

fn wait_until_up(first: &VethCell, second: &VethCell) -> Result<(), SandboxError> {
    let (first, second) = (first.index, second.index);
    wait_for(|handle| async move { Ok(is_up(&handle, first).await? && is_up(&handle, second).await?) })
}

fn wait_for<F>(mut settled: impl FnMut(Handle) -> F) -> Result<(), SandboxError>
where
    F: Future<Output = Result<bool, rtnetlink::Error>>,
{
    let start = Instant::now();
    while !netlink("the state of a link", async |handle| settled(handle).await)? {
        if start.elapsed() > SETTLING_LIMIT {
            return Err(SandboxError::Failed { step: "waiting for the links", reason: "they stay down".to_owned() });
        }
        sleep(Duration::from_millis(5));
    }
    Ok(())
}

async fn is_up(handle: &Handle, index: u32) -> Result<bool, rtnetlink::Error> {
    let message = handle.link().get().match_index(index).execute().try_next().await?;
    Ok(message.is_some_and(|link| link.attributes.contains(&LinkAttribute::OperState(State::Up))))
}

async fn index_of(handle: &Handle, name: &str) -> Result<u32, rtnetlink::Error> {
    let message = handle.link().get().match_name(name.to_owned()).execute().try_next().await?;
    // The kernel answers a name it does not know with an error, and a name it knows with one message.
    message.map(|link| link.header.index).ok_or(rtnetlink::Error::RequestFailed)
}

async fn set_link(handle: &Handle, message: LinkMessageBuilder<LinkUnspec>) -> Result<(), rtnetlink::Error> {
    handle.link().set(message.build()).execute().await
}

/// Talks to the kernel about the calling thread's namespace.
fn netlink<T>(
    step: &'static str,
    task: impl AsyncFnOnce(Handle) -> Result<T, rtnetlink::Error>,
) -> Result<T, SandboxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(SandboxError::at(step))?;
    runtime.block_on(async {
        let (connection, handle, _) = rtnetlink::new_connection().map_err(SandboxError::at(step))?;
        tokio::spawn(connection);
        task(handle).await.map_err(|error| refused(step, error))
    })
}

/// A refusal of the kernel tells a missing right apart, as a system call's does.
fn refused(step: &'static str, error: rtnetlink::Error) -> SandboxError {
    match error {
        rtnetlink::Error::NetlinkError(message) if message.raw_code() != 0 => {
            SandboxError::calling(step)(Errno::from_raw(message.raw_code().abs()))
        }
        other => SandboxError::at(step)(other),
    }
}
